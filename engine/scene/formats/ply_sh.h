#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <splatwright/scene/formats/ply_rows.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// SH coefficients of degree 1 and higher, as stored in PLY files: properties f_rest_0 and so on, all reds, then greens, then blues.

inline constexpr size_t kMaxHigherValues = 3 * (shCoefficients(kMaxShDegree) - 1);

/// SH degree for the number of properties f_rest_*. Throws InputError if that number is not 0, 9, 24 or 45.
int shDegreeOf(const PlyRows& rows, const std::filesystem::path& path);

/// "f_rest_0", ...: 0, 9, 24 or 45 names.
std::vector<std::string> higherNames(int degree);

/// Stores these values as the coefficients of degree 1 and higher of one splat, in the model's order.
void takeHigher(glm::vec3* sh, std::span<const float> values);

}  // namespace splat
