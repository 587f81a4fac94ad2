#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scene/formats/ply_rows.h"
#include "scene/gaussians.h"

namespace splat {

/// The coefficients of splats beyond the constant one, as PLY files have them: properties f_rest_0 and so on, all reds, all greens, all blues.

inline constexpr size_t kMaxHigherValues = 3 * (shCoefficients(kMaxShDegree) - 1);

/// By the number of properties f_rest_*; throws InputError when no degree has so many.
int shDegreeOf(const PlyRows& rows, const std::filesystem::path& path);

/// "f_rest_0", ...: 0, 9, 24 or 45 names.
std::vector<std::string> higherNames(int degree);

/// Puts the values of these properties behind the constant coefficient of one splat, coefficient by coefficient as the model has them.
void takeHigher(glm::vec3* sh, std::span<const float> values);

}  // namespace splat
