#pragma once

#include <array>
#include <cstddef>
#include <filesystem>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// PlayCanvas's layout (github.com/playcanvas/splat-transform, write-compressed-ply.ts and decompress-ply.ts): chunks of splats with bounds in a
/// separate element, four packed words per splat relative to those bounds, and one byte per higher coefficient.

inline constexpr size_t kChunkSplats = 256;
inline constexpr glm::vec3 kPositionSteps{2047, 1023, 2047};  ///< between a chunk's bounds, 11, 10 and 11 bits

/// Bounds that the packed values 0..1 of a chunk's splats are interpolated between; a row of the element `chunk`.
struct Chunk {
    glm::vec3 minPosition, maxPosition;
    glm::vec3 minLogScale, maxLogScale;
    glm::vec3 minColour, maxColour;  ///< of 0.5 + SH; older files do not have them
};

inline constexpr std::array kChunkProperties{"min_x",       "min_y",       "min_z",       "max_x",       "max_y",       "max_z",
                                             "min_scale_x", "min_scale_y", "min_scale_z", "max_scale_x", "max_scale_y", "max_scale_z",
                                             "min_r",       "min_g",       "min_b",       "max_r",       "max_g",       "max_b"};
static_assert(sizeof(Chunk) == kChunkProperties.size() * sizeof(float));
inline constexpr size_t kColourProperty = 12;  ///< the first that older files do not have

inline constexpr std::array kPackedProperties{"packed_position", "packed_rotation", "packed_scale", "packed_color"};

/// Writes chunks of neighbours, or those of the model's order (chunk_positions.h), with bounds of colours. Log scales outside -20..20, and higher
/// coefficients outside -4..4, are clamped. Throws like requireWritable(), and Error if the file cannot be written.
void writeCompressedPly(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
