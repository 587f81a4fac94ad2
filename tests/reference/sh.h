#pragma once

#include <array>

#include <glm/glm.hpp>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat::reference {

inline constexpr size_t kMaxShCoefficients = shCoefficients(kMaxShDegree);

/// Real spherical harmonics of degree 0 to 3 with the signs of the 3DGS files, at a unit direction (a polynomial of its components).
std::array<double, kMaxShCoefficients> shBasis(const glm::dvec3& direction);

/// Derivative of each basis polynomial with respect to the three components of the direction, taken as independent.
std::array<glm::dvec3, kMaxShCoefficients> shBasisGradient(const glm::dvec3& direction);

}  // namespace splat::reference
