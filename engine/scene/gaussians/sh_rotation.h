#pragma once

#include <array>

#include <glm/glm.hpp>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Rotates spherical harmonics with their Gaussian: the colour seen from direction d is then seen from rotation * d.
class ShRotation {
public:
    /// The matrix must be a rotation (orthonormal, no reflection).
    explicit ShRotation(const glm::dmat3& rotation);

    /// Rotates the coefficients of one Gaussian in place: shCoefficients(degree) of them, the constant one first.
    void apply(glm::vec3* coefficients, int degree) const;

private:
    static constexpr size_t kCount = shCoefficients(kMaxShDegree);

    std::array<std::array<double, kCount>, kCount> matrix_{};  // [row][column], one block per degree
};

}  // namespace splat
