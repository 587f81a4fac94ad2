#pragma once

#include <array>

#include <glm/glm.hpp>

#include "scene/gaussians.h"

namespace splat {

/// Turns colours given as spherical harmonics along with their gaussian: what was seen from direction d is then seen from rotation * d.
class ShRotation {
public:
    /// The matrix must be a rotation (orthonormal, no reflection).
    explicit ShRotation(const glm::dmat3& rotation);

    /// Replaces the coefficients of one gaussian, shCoefficients(degree) of them with the constant one first.
    void apply(glm::vec3* coefficients, int degree) const;

private:
    static constexpr size_t kCount = shCoefficients(kMaxShDegree);

    std::array<std::array<double, kCount>, kCount> matrix_{};  // [row][column], one block a degree
};

}  // namespace splat
