#pragma once

#include <filesystem>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Reads a 3DGS PLY (graphdeco-inria/gaussian-splatting, save_ply): ASCII or binary, properties of any type in any order. The number of f_rest_*
/// gives the SH degree, and a comment "splatwright antialiased" marks an antialiased model. Throws InputError if the file is invalid.
Gaussians readPly(const std::filesystem::path& path);

/// Writes the 3DGS layout (binary, little endian) atomically. Throws Error if the file cannot be written.
void writePly(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
