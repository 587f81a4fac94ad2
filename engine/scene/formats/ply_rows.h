#pragma once

#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fstream>

#include <splatwright/scene/formats/ply_header.h>

namespace splat {

/// Rows of one element of a PLY file, read by property name, in any type, order and encoding.
class PlyRows {
public:
    /// Throws InputError if the element is missing, has lists, or the file is too short for it.
    PlyRows(const std::filesystem::path& path, const std::string& element);

    size_t count() const { return static_cast<size_t>(element_.count); }
    /// Whether the file also has an element of this name.
    bool fileHas(const std::string& element) const;
    /// Whether the header has this comment.
    bool hasComment(const std::string& comment) const;
    bool has(const std::string& property) const;
    /// Number of properties that start with the prefix.
    size_t countOf(const std::string& prefix) const;
    /// Throws InputError if the property is missing.
    PlyType typeOf(const std::string& property) const;
    /// Throws InputError if one of them is missing. Required properties bound the rows' memory by about the file's size.
    void require(const std::vector<std::string>& properties) const;

    template <class Value>
    using Body = std::function<void(size_t row, std::span<const Value> values)>;

    /// Calls body(row, values of the named properties) for every row, in parallel and in any order. Value is float, or double for exact 32-bit
    /// integers. Throws InputError for a missing property or a value that is not finite, with the property and the first such row.
    template <class Value = float>
    void forEach(const std::vector<std::string>& properties, const std::type_identity_t<Body<Value>>& body);

private:
    struct Column {
        size_t offset;  ///< bytes from the start of the row
        PlyType type;
    };
    struct Block;

    Column column(const std::string& property) const;
    void passOver(const PlyElement& element);
    void passOverLists(const PlyElement& element);
    void checkLength();
    uint64_t bytesLeft();
    std::vector<std::byte> readAsciiRows(size_t first, size_t rows);
    std::vector<std::byte> readBinaryRows(size_t rows);
    template <class Value>
    void convert(const Block& block, const Body<Value>& body) const;

    std::filesystem::path path_;
    std::ifstream in_;
    PlyHeader header_;
    PlyElement element_;
};

}  // namespace splat
