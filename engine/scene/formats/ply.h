#pragma once

#include <array>
#include <filesystem>

#include <splatwright/scene/formats/splat_blocks.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Normals of the reference's files, where they are zero; others are extras.
inline constexpr std::array kPlyNormals{"nx", "ny", "nz"};

/// Reads a 3DGS PLY (graphdeco-inria/gaussian-splatting, save_ply): ASCII or binary, properties of any type in any order. The number of f_rest_*
/// gives the SH degree, and a comment "splatwright antialiased" marks an antialiased model. Without f_dc_*, properties red, green and blue are the
/// colour. Other properties become extras. Throws InputError if the file is invalid.
Gaussians readPly(const std::filesystem::path& path);

/// Writes the 3DGS layout atomically, extras last. Throws Error if the file cannot be written.
void writePly(const std::filesystem::path& path, const Gaussians& gaussians);  ///< binary, little endian
void writePlyBlocks(const std::filesystem::path& path, const SplatBlocks& blocks);
void writePlyBigEndian(const std::filesystem::path& path, const Gaussians& gaussians);  ///< binary, big endian
void writePlyBigEndianBlocks(const std::filesystem::path& path, const SplatBlocks& blocks);
/// The shortest decimals that read back as the same floats.
void writePlyAscii(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
