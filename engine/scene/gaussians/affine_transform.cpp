#include <splatwright/scene/gaussians/affine_transform.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/gtc/quaternion.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/gaussians/model_transform.h>
#include <splatwright/scene/gaussians/sh_rotation.h>

namespace splat {
namespace {

struct Parts {
    glm::dquat rotation;
    glm::dvec3 scale;
};

/// matrix = rotation * scale.
Parts partsOf(const glm::dmat3& matrix, const std::string& what) {
    constexpr double kTolerance = 1e-3;  // of the volume of the axes, which files hold in 32 bits and after several products
    const glm::dvec3 scale(glm::length(matrix[0]), glm::length(matrix[1]), glm::length(matrix[2]));
    const glm::dmat3 axes(matrix[0] / scale.x, matrix[1] / scale.y, matrix[2] / scale.z);
    const double volume = glm::determinant(axes);
    if (std::abs(volume - 1) <= kTolerance && std::isfinite(scale.x * scale.y * scale.z))
        return {glm::normalize(glm::quat_cast(axes)), scale};
    throw InputError(
        "{}: the matrix mirrors, shears or has a scale of zero (its axes of unit length span {:.3g}), expected a rotation and "
        "positive scales",
        what, volume);
}

bool isUniform(const glm::dvec3& scale) {
    constexpr double kTolerance = 1e-6;
    return std::max({scale.x, scale.y, scale.z}) <= (1 + kTolerance) * std::min({scale.x, scale.y, scale.z});
}

/// Turns two columns within their plane until they are orthogonal.
void orthogonalise(glm::dvec3& a, glm::dvec3& b) {
    const double together = glm::dot(a, b);
    if (together == 0) return;
    const double zeta = (glm::dot(b, b) - glm::dot(a, a)) / (2 * together);
    const double tangent = std::copysign(1 / (std::abs(zeta) + std::hypot(1, zeta)), zeta);
    const double cosine = 1 / std::hypot(1, tangent), sine = cosine * tangent;
    const glm::dvec3 turned = cosine * a - sine * b;
    b = sine * a + cosine * b;
    a = turned;
}

/// The Gaussian's axes under the matrix are not orthogonal: takes those of the same covariance that are (one-sided Jacobi).
void deform(glm::vec4& rotation, glm::vec3& logScale, const glm::dmat3& matrix) {
    constexpr int kSweeps = 12;  // converges quadratically; six are enough for all that was tried
    const glm::dquat q = glm::normalize(glm::dquat(rotation.x, rotation.y, rotation.z, rotation.w));
    glm::dmat3 axes = matrix * glm::mat3_cast(q);
    for (int c = 0; c < 3; ++c) axes[c] *= std::exp(static_cast<double>(logScale[c]));
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        orthogonalise(axes[0], axes[1]);
        orthogonalise(axes[0], axes[2]);
        orthogonalise(axes[1], axes[2]);
    }
    const glm::dvec3 scale(glm::length(axes[0]), glm::length(axes[1]), glm::length(axes[2]));
    const glm::dquat turned = glm::quat_cast(glm::dmat3(axes[0] / scale.x, axes[1] / scale.y, axes[2] / scale.z));
    rotation = glm::vec4(turned.w, turned.x, turned.y, turned.z);
    logScale = glm::vec3(glm::log(scale));
}

}  // namespace

Gaussians transformed(Gaussians gaussians, const glm::dmat4& matrix, const std::string& what) {
    constexpr size_t kSlice = 4096;  // Gaussians per thread and step
    const glm::dmat3 linear(matrix);
    const auto [rotation, scale] = partsOf(linear, what);
    if (isUniform(scale))
        return transformed(std::move(gaussians), {.translation = glm::dvec3(matrix[3]), .rotation = rotation, .scale = scale.x});
    const ShRotation sh(glm::mat3_cast(rotation));
    const size_t count = gaussians.count(), coefficients = shCoefficients(gaussians.shDegree);
    parallelEach(count, kSlice, [&](size_t i) {
        gaussians.means[i] = glm::vec3(matrix * glm::dvec4(gaussians.means[i], 1));
        deform(gaussians.rotations[i], gaussians.logScales[i], linear);
        sh.apply(&gaussians.sh[i * coefficients], gaussians.shDegree);
    });
    return gaussians;
}

}  // namespace splat
