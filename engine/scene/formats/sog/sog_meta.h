#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <glm/glm.hpp>

#include <splatwright/scene/clusters/codebook.h>

namespace splat {

/// Images of a SOG; the last two only if there are coefficients of degree 1 and more.
enum class SogFile : uint8_t { meansLow, meansHigh, rotations, scales, colours, palette, labels };
inline constexpr size_t kSogFiles = 7, kSogFilesOfDegree0 = 5;

/// meta.json of either version.
struct SogMeta {
    size_t count = 0;
    bool antialiased = false;
    glm::vec3 low{0}, high{0};                    ///< range of the positions, whose logarithms the file stores
    std::array<ByteValues, 3> logScales{}, dc{};  ///< by axis, by colour
    ByteValues logitOpacities{};
    ByteValues coefficients{};  ///< of degree 1 and more
    int shDegree = -1;          ///< -1: by the width of the palette's image (version 1)
    size_t paletteSize = 0;     ///< 0: as many as its image holds (version 1)
    std::array<std::string, kSogFiles>
        files{};  ///< names below the folder or in the archive; empty for images that the model does not have

    const std::string& file(SogFile which) const { return files[static_cast<size_t>(which)]; }
    bool hasPalette() const { return !file(SogFile::palette).empty(); }
};

/// Throws InputError, starting with `where`, with property, found and expected; so for names of files that may lead out of the folder.
SogMeta parseSogMeta(const std::string& where, std::span<const std::byte> json);

}  // namespace splat
