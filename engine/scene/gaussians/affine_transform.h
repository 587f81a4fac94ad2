#pragma once

#include <string>

#include <glm/glm.hpp>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Returns the Gaussians moved by a matrix of a translation, a rotation and positive scales, which may differ along the axes: covariances by the
/// whole matrix, spherical harmonics by its rotation. Throws InputError, starting with `what`, for a matrix that mirrors or shears.
Gaussians transformed(Gaussians gaussians, const glm::dmat4& matrix, const std::string& what);

}  // namespace splat
