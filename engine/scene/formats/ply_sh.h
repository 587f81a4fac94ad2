#pragma once

#include <filesystem>

#include <splatwright/scene/formats/ply_rows.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// SH degree for the number of properties f_rest_*, which are the coefficients of degree 1 and higher: all reds, then greens, then blues. Throws
/// InputError if that number is not 0, 9, 24 or 45.
int shDegreeOf(const PlyRows& rows, const std::filesystem::path& path);

/// Factor that makes numbers of the property `red` 0..1: of integers 1 / 255, or 1 / 65535 for ushort; 1 for others.
float colourScaleOf(const PlyRows& rows);

}  // namespace splat
