#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/gaussians/extra_columns.h>

namespace splat {

/// Comment that marks an antialiased model; the layouts have no property for it.
inline constexpr const char* kAntialiasedComment = "splatwright antialiased";

/// The type's original name in PLY headers: "float", not "float32".
std::string_view nameOf(PlyType type);

enum class PlyEncoding : uint8_t { ascii, littleEndian, bigEndian };

struct PlyProperty {
    std::string name;
    PlyType type{};                    ///< type of a value
    std::optional<PlyType> countType;  ///< type of a list's length; none for a single value
};

struct PlyElement {
    std::string name;
    uint64_t count = 0;
    std::vector<PlyProperty> properties;

    bool hasLists() const;
    /// Bytes per row; only for elements without lists.
    size_t stride() const;
};

struct PlyHeader {
    PlyEncoding encoding{};
    std::vector<PlyElement> elements;
    std::vector<std::string> comments;  ///< without the keyword and the blank after it
};

/// Whether a file with this beginning is a PLY.
bool startsAsPly(std::string_view head);

/// Reads up to and including the end_header line; lines may end with "\n" or "\r\n". Throws InputError with the path and the line.
PlyHeader readPlyHeader(std::istream& in, const std::filesystem::path& path);

}  // namespace splat
