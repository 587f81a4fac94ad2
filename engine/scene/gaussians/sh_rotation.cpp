#include <splatwright/scene/gaussians/sh_rotation.h>

#include <cmath>
#include <numbers>

namespace splat {
namespace {

constexpr size_t kCount = shCoefficients(kMaxShDegree);

using Basis = std::array<double, kCount>;

/// Real orthonormal spherical harmonics with the signs of the 3DGS files, at a unit direction.
Basis shBasis(const glm::dvec3& d) {
    const double x = d.x, y = d.y, z = d.z, xx = x * x, yy = y * y, zz = z * z;
    return {0.28209479177387814,
            -0.4886025119029199 * y,
            0.4886025119029199 * z,
            -0.4886025119029199 * x,
            1.0925484305920792 * x * y,
            -1.0925484305920792 * y * z,
            0.31539156525252005 * (2 * zz - xx - yy),
            -1.0925484305920792 * x * z,
            0.5462742152960396 * (xx - yy),
            -0.5900435899266435 * y * (3 * xx - yy),
            2.890611442640554 * x * y * z,
            -0.4570457994644658 * y * (4 * zz - xx - yy),
            0.3731763325901154 * z * (2 * zz - 3 * xx - 3 * yy),
            -0.4570457994644658 * x * (4 * zz - xx - yy),
            1.445305721320277 * z * (xx - yy),
            -0.5900435899266435 * x * (xx - 3 * yy)};
}

/// Calls f(direction, weight) for points on the sphere whose weighted sum is the integral of every polynomial up to degree 7: four rings at
/// the nodes of Gauss and Legendre, eight points each.
template <class F>
void forEachNode(const F& f) {
    constexpr int kSectors = 8;
    const double root = std::sqrt(6.0 / 5);
    for (const double side : {-1.0, 1.0}) {
        const double z = std::sqrt((3 + side * 2 * root) / 7), weight = (18 - side * std::sqrt(30.0)) / 36;
        for (const double height : {-z, z}) {
            for (int sector = 0; sector < kSectors; ++sector) {
                const double angle = 2 * std::numbers::pi * sector / kSectors, radius = std::sqrt(1 - z * z);
                f(glm::dvec3(radius * std::cos(angle), radius * std::sin(angle), height), weight * 2 * std::numbers::pi / kSectors);
            }
        }
    }
}

}  // namespace

/// Entry (j, k) is the projection of the rotated Y_k on Y_j: the integral of Y_j(rotation * d) Y_k(d), a polynomial of degree at most 6, so the
/// sum over the nodes is exact. Degrees do not mix.
ShRotation::ShRotation(const glm::dmat3& rotation) {
    forEachNode([&](const glm::dvec3& d, double weight) {
        const Basis turned = shBasis(rotation * d), original = shBasis(d);
        for (size_t j = 0; j < kCount; ++j) {
            for (size_t k = 0; k < kCount; ++k) matrix_[j][k] += weight * turned[j] * original[k];
        }
    });
}

void ShRotation::apply(glm::vec3* coefficients, int degree) const {
    std::array<glm::dvec3, kCount> turned;
    for (int l = 1; l <= degree; ++l) {
        const size_t begin = shCoefficients(l - 1), end = shCoefficients(l);
        for (size_t j = begin; j < end; ++j) {
            turned[j] = glm::dvec3(0);
            for (size_t k = begin; k < end; ++k) turned[j] += matrix_[j][k] * glm::dvec3(coefficients[k]);
        }
    }
    for (size_t k = 1; k < shCoefficients(degree); ++k) coefficients[k] = glm::vec3(turned[k]);
}

}  // namespace splat
