#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// How splats are written as SPZ.
struct SpzEncoding {
    uint32_t version;            ///< 1 to 4
    int firstBits, furtherBits;  ///< of 8, kept of the SH coefficients of degree 1, and of degree 2 and 3
};

/// The bytes of a file, in the format's own frame (right, up, back). Positions take as many fractional bits as their extent allows. Throws InputError if a
/// position lies out of the version's range, or like requireWritable(), with the path.
std::vector<std::byte> encodeSpz(const std::filesystem::path& path, const Gaussians& gaussians, const SpzEncoding& encoding);

}  // namespace splat
