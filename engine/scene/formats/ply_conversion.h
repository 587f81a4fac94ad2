#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <splatwright/scene/gaussians/extra_columns.h>

namespace splat {

/// What infinite numbers of a property stand for. Without an end, those of its sign are refused.
struct PlyEnds {
    std::optional<float> low, high;
};

/// A property in the rows of a PLY element.
struct PlyPlace {
    std::string name;
    size_t offset;  ///< bytes from the start of the row
    PlyType type;
    PlyEnds ends = {};
};

/// Turns rows of bytes into values of one type and columns of their own types. Several threads may convert at once.
template <class Value>
class PlyConversion {
public:
    using Body = std::function<void(size_t row, std::span<const Value> values)>;

    /// Values come from `places` and go to the body; the columns' numbers come from `columnPlaces`. `swapped`: bytes are in big-endian order. Rows
    /// are counted from `before` on in messages.
    PlyConversion(std::vector<PlyPlace> places, const Body& body, std::vector<PlyPlace> columnPlaces, std::span<ExtraColumn> columns,
                  bool swapped, size_t before = 0);

    /// Converts consecutive rows.
    void convert(size_t firstRow, std::span<const std::byte> rows, size_t stride);

    /// A property whose ends stand for infinite numbers of a row; null: none had to.
    const PlyPlace* replaced() const { return replaced_; }

    /// Remembers what is wrong with a row, for the first such row.
    void report(size_t row, std::string problem);
    /// Throws InputError with the first problem, if there is one.
    void throwProblem(const std::filesystem::path& path) const;

private:
    /// Numbers that follow one another in a row, and among the values.
    struct Run {
        size_t offset, first, count;
        PlyType type;
        void (*load)(const std::byte* from, Value* to, size_t count);
    };
    struct Problem {
        size_t row;
        std::string text;
    };

    bool replaceInfinite(std::span<Value> values);
    void reportNotFinite(size_t row, const std::byte* bytes, std::span<const Value> values);

    std::vector<PlyPlace> places_, columnPlaces_;
    std::vector<Run> runs_;
    const Body& body_;
    std::span<ExtraColumn> columns_;
    bool swapped_;
    size_t before_;
    std::atomic<const PlyPlace*> replaced_ = nullptr;
    std::mutex mutex_;
    std::optional<Problem> problem_;
};

}  // namespace splat
