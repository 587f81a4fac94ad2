#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fstream>

#include "scene/formats/ply_header.h"

namespace splat {

/// The rows of one element of a PLY file, read by property name whatever their type, order and encoding.
class PlyRows {
public:
    /// Throws InputError when there is no such element, it has lists, or the file is too short for it.
    PlyRows(const std::filesystem::path& path, const std::string& element);

    size_t count() const { return static_cast<size_t>(element_.count); }
    /// Whether the header has this comment.
    bool hasComment(const std::string& comment) const;
    bool has(const std::string& property) const;
    /// How many properties start with the prefix.
    size_t countOf(const std::string& prefix) const;
    /// Throws InputError when there is no such property.
    PlyType typeOf(const std::string& property) const;

    /// Calls body(row, values of the named properties) for every row, from all cores and in no order. A property that is missing or a
    /// value that is not a finite float is an InputError that names the property and, for a value, the first such row.
    void forEach(const std::vector<std::string>& properties, const std::function<void(size_t, std::span<const float>)>& body);

private:
    struct Column {
        size_t offset;  ///< bytes from the row's start
        PlyType type;
    };
    struct Block;

    Column column(const std::string& property) const;
    void findElement(const std::string& name);
    void passOver(const PlyElement& element);
    void passOverLists(const PlyElement& element);
    void checkLength();
    uint64_t bytesLeft();
    std::vector<std::byte> readAsciiRows(size_t rows);
    std::vector<std::byte> readBinaryRows(size_t rows);
    void convert(const Block& block, const std::function<void(size_t, std::span<const float>)>& body) const;

    std::filesystem::path path_;
    std::ifstream in_;
    PlyHeader header_;
    PlyElement element_;
};

}  // namespace splat
