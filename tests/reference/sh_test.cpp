#include "reference/sh.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace splat::reference {
namespace {

TEST(ReferenceSh, HasTheSignsOfThe3dgsFilesAlongTheAxes) {
    const auto x = shBasis({1, 0, 0}), y = shBasis({0, 1, 0}), z = shBasis({0, 0, 1});
    EXPECT_NEAR(x[0], 0.28209479177387814, 1e-15);
    EXPECT_NEAR(y[1], -0.4886025119029199, 1e-15);
    EXPECT_NEAR(z[2], 0.4886025119029199, 1e-15);
    EXPECT_NEAR(x[3], -0.4886025119029199, 1e-15);
    EXPECT_NEAR(z[6], 0.6307831305050401, 1e-15);
    EXPECT_NEAR(x[8], 0.5462742152960396, 1e-15);
    EXPECT_NEAR(y[8], -0.5462742152960396, 1e-15);
    EXPECT_NEAR(y[9], 0.5900435899266435, 1e-15);
    EXPECT_NEAR(z[12], 0.7463526651802308, 1e-15);
    EXPECT_NEAR(x[13], 0.4570457994644658, 1e-15);
    EXPECT_NEAR(x[15], -0.5900435899266435, 1e-15);
}

TEST(ReferenceSh, BasisIsOrthonormalOnTheSphere) {
    constexpr int kRings = 400, kSectors = 32;
    std::array<std::array<double, kMaxShCoefficients>, kMaxShCoefficients> inner{};
    for (int ring = 0; ring < kRings; ++ring)
        for (int sector = 0; sector < kSectors; ++sector) {
            // Equal steps in z are equal areas (Archimedes).
            const double z = (2 * ring + 1.0) / kRings - 1, radius = std::sqrt(1 - z * z), phi = 2 * std::numbers::pi * sector / kSectors;
            const auto basis = shBasis({radius * std::cos(phi), radius * std::sin(phi), z});
            for (size_t i = 0; i < basis.size(); ++i)
                for (size_t j = 0; j < basis.size(); ++j) inner[i][j] += basis[i] * basis[j] * 4 * std::numbers::pi / (kRings * kSectors);
        }
    for (size_t i = 0; i < inner.size(); ++i)
        for (size_t j = 0; j < inner.size(); ++j) EXPECT_NEAR(inner[i][j], i == j ? 1 : 0, 1e-3) << i << " " << j;
}

TEST(ReferenceSh, GradientAgreesWithFiniteDifferences) {
    constexpr double kStep = 1e-5;
    const glm::dvec3 direction(0.48, -0.6, 0.64);
    const auto gradient = shBasisGradient(direction);
    for (int axis = 0; axis < 3; ++axis) {
        glm::dvec3 step(0);
        step[axis] = kStep;
        const auto up = shBasis(direction + step), down = shBasis(direction - step);
        for (size_t k = 0; k < up.size(); ++k) EXPECT_NEAR(gradient[k][axis], (up[k] - down[k]) / (2 * kStep), 1e-9) << k;
    }
}

}  // namespace
}  // namespace splat::reference
