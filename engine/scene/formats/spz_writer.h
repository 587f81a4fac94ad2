#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <splatwright/scene/formats/splat_blocks.h>

namespace splat {

/// How splats are written as SPZ.
struct SpzEncoding {
    uint32_t version;            ///< 1 to 4
    int firstBits, furtherBits;  ///< of 8, kept of the SH coefficients of degree 1, and of degree 2 and 3
};

/// The bytes of a file, in the format's own frame (right, up, back). Positions take the reference's 12 fractional bits, more if
/// splats are small, and fewer if the extent is large. Throws InputError with
/// the path if there are no splats, or if one is not finite or has a position out of the version's range.
std::vector<std::byte> encodeSpz(const std::filesystem::path& path, const SplatBlocks& blocks, const SpzEncoding& encoding);

}  // namespace splat
