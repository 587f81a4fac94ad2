#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace splat {

/// Types of numbers in PLY files.
enum class PlyType : uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// Returns visit(T()) for the C++ type T of these numbers.
template <class Visit>
auto visitType(PlyType type, Visit&& visit) {
    switch (type) {
        case PlyType::int8: return visit(int8_t());  // NOLINT(bugprone-branch-clone): the types differ
        case PlyType::uint8: return visit(uint8_t());
        case PlyType::int16: return visit(int16_t());
        case PlyType::uint16: return visit(uint16_t());
        case PlyType::int32: return visit(int32_t());
        case PlyType::uint32: return visit(uint32_t());
        case PlyType::float32: return visit(float());
        case PlyType::float64: break;
    }
    return visit(double());
}

inline size_t bytesOf(PlyType type) {
    return visitType(type, [](auto number) { return sizeof number; });
}

/// A property of splats that only its file's author knows, such as a segment's number: one number per splat.
struct ExtraColumn {
    std::string name;
    PlyType type{};
    std::vector<std::byte> values;  ///< bytesOf(type) per splat, in native byte order

    bool operator==(const ExtraColumn&) const = default;
};

/// Number i of a column; every type's numbers are exact as doubles.
double numberOf(const ExtraColumn& column, size_t i);

/// Copies one splat's numbers into the columns of the same name; the types may differ by addColumns().
void copyExtras(std::vector<ExtraColumn>& to, size_t target, const std::vector<ExtraColumn>& from, size_t source);

/// The column that has a name, null if there is none.
const ExtraColumn* columnOf(const std::vector<ExtraColumn>& columns, const std::string& name);

/// Adds the columns of `from` that `columns` lacks, with zeros for its `count` splats. A column that both have in different types becomes `double`.
void addColumns(std::vector<ExtraColumn>& columns, size_t count, const std::vector<ExtraColumn>& from);

}  // namespace splat
