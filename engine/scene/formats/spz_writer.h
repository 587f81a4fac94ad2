#pragma once

#include <cstdint>
#include <filesystem>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// How splats are written as SPZ.
struct SpzEncoding {
    uint32_t version;            ///< 1 to 4
    int firstBits, furtherBits;  ///< of 8, kept of the SH coefficients of degree 1, and of degree 2 and 3
};

/// Writes in the format's own frame (right, up, back). Positions take as many fractional bits as their extent allows. Throws InputError if a
/// position lies out of the version's range, or like requireWritable(); Error if the file cannot be written.
void writeSpz(const std::filesystem::path& path, const Gaussians& gaussians, const SpzEncoding& encoding);

}  // namespace splat
