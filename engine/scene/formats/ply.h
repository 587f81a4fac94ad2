#pragma once

#include <filesystem>

#include <splatwright/scene/gaussians.h>

namespace splat {

/// Reads a 3DGS point cloud in PLY (graphdeco-inria/gaussian-splatting, save_ply): properties by name and type, any order, ascii or binary
/// of either endianness, degree by the number of f_rest properties; a comment "splatwright antialiased" marks an antialiased model. Throws
/// InputError with path, property, found and expected.
Gaussians readPly(const std::filesystem::path& path);

/// Writes the 3DGS layout (binary, little endian) to a temporary and renames it. Throws Error if the file cannot be written.
void writePly(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
