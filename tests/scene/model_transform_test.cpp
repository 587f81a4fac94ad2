#include <splatwright/scene/gaussians/model_transform.h>

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/render.h"
#include "reference/scenes.h"
#include "reference/sh.h"

namespace splat {
namespace {

glm::dvec3 randomVector(Rng& rng, double size) { return size * glm::dvec3(rng.normal(), rng.normal(), rng.normal()); }

ModelTransform randomTransform(uint64_t seed) {
    Rng rng(seed);
    const glm::dvec3 axis = glm::normalize(randomVector(rng, 1));
    return {.translation = randomVector(rng, 3), .rotation = glm::angleAxis(rng.uniform(0, 6), axis), .scale = rng.uniform(0.3, 3)};
}

Gaussians someGaussians(int degree) { return reference::makeMixedScene(40, 50, 40, 3, degree).gaussians; }

glm::dvec3 colour(const Gaussians& g, size_t i, const glm::dvec3& direction) {
    const auto basis = reference::shBasis(direction);
    glm::dvec3 sum(0.5);
    for (size_t k = 0; k < shCoefficients(g.shDegree); ++k) sum += basis[k] * glm::dvec3(g.sh[i * shCoefficients(g.shDegree) + k]);
    return sum;
}

/// Sigma of gaussian i.
glm::dmat3 covariance(const Gaussians& g, size_t i) {
    const glm::dvec4 q = glm::normalize(glm::dvec4(g.rotations[i]));
    const glm::dvec3 s = glm::exp(glm::dvec3(g.logScales[i]));
    const glm::dmat3 axes = reference::rotationMatrix(q) * glm::dmat3(s.x, 0, 0, 0, s.y, 0, 0, 0, s.z);
    return axes * glm::transpose(axes);
}

double largestDifference(const glm::dmat3& a, const glm::dmat3& b) {
    double most = 0;
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) most = std::max(most, std::abs(a[c][r] - b[c][r]));
    }
    return most;
}

void expectNear(const Gaussians& a, const Gaussians& b, double tolerance) {
    ASSERT_EQ(a.count(), b.count());
    for (size_t i = 0; i < a.count(); ++i) {
        EXPECT_LT(glm::distance(a.means[i], b.means[i]), tolerance * (1 + glm::length(b.means[i]))) << i;
        EXPECT_LT(glm::distance(a.logScales[i], b.logScales[i]), tolerance) << i;
        EXPECT_LT(std::min(glm::distance(a.rotations[i], b.rotations[i]), glm::distance(a.rotations[i], -b.rotations[i])), tolerance) << i;
        EXPECT_EQ(a.logitOpacities[i], b.logitOpacities[i]) << i;
    }
    for (size_t k = 0; k < a.sh.size(); ++k) EXPECT_LT(glm::distance(a.sh[k], b.sh[k]), tolerance) << k;
}

TEST(ModelTransform, TurnedColoursAreSeenFromTurnedDirections) {
    for (int degree = 0; degree <= kMaxShDegree; ++degree) {
        for (const uint64_t seed : {1u, 2u, 3u}) {
            const ModelTransform transform = randomTransform(seed);
            const Gaussians before = someGaussians(degree), after = transformed(before, transform);
            Rng rng(seed);
            for (size_t i = 0; i < before.count(); ++i) {
                const glm::dvec3 direction = glm::normalize(randomVector(rng, 1));
                EXPECT_LT(glm::distance(colour(before, i, direction), colour(after, i, transform.rotation * direction)), 1e-5)
                    << "degree " << degree << ", gaussian " << i;
            }
        }
    }
}

TEST(ModelTransform, CovariancesTurnAndGrowAlong) {
    const ModelTransform transform = randomTransform(5);
    const Gaussians before = someGaussians(0), after = transformed(before, transform);
    const glm::dmat3 turn = transform.scale * glm::mat3_cast(transform.rotation);
    for (size_t i = 0; i < before.count(); ++i) {
        const glm::dmat3 expected = turn * covariance(before, i) * glm::transpose(turn);
        EXPECT_LT(largestDifference(covariance(after, i), expected), 1e-5 * (1 + expected[0][0] + expected[1][1] + expected[2][2])) << i;
        EXPECT_LT(glm::distance(glm::dvec3(after.means[i]), transform.translation + turn * glm::dvec3(before.means[i])), 1e-5) << i;
    }
}

TEST(ModelTransform, OneAfterAnotherIsTheirComposition) {
    const Gaussians g = someGaussians(3);
    const ModelTransform first = randomTransform(6), second = randomTransform(7);
    expectNear(transformed(transformed(g, first), second), transformed(g, composed(second, first)), 2e-5);
}

TEST(ModelTransform, TheInverseBringsEverythingBack) {
    const Gaussians g = someGaussians(3);
    const ModelTransform transform = randomTransform(8);
    expectNear(transformed(transformed(g, transform), inverse(transform)), g, 2e-5);
    const glm::dvec3 point(1, -2, 3);
    EXPECT_LT(glm::distance(transformed(transformed(point, transform), inverse(transform)), point), 1e-13);
}

TEST(ModelTransform, AtHomeNothingChanges) {
    const Gaussians g = someGaussians(3), same = transformed(g, ModelTransform{});
    EXPECT_EQ(same.means, g.means);
    EXPECT_EQ(same.rotations, g.rotations);
    EXPECT_EQ(same.logScales, g.logScales);
    EXPECT_EQ(same.sh, g.sh);
}

TEST(ModelTransform, TheLengthOfARotationSaysNothing) {
    ModelTransform transform = randomTransform(9), longer = transform;
    longer.rotation = longer.rotation * 7.0;
    expectNear(transformed(someGaussians(2), longer), transformed(someGaussians(2), transform), 1e-6);
}

TEST(ModelTransform, ACameraThatGoesAlongSeesTheSamePicture) {
    const reference::Scene scene = reference::makeMixedScene(60, 50, 40);
    const ModelTransform transform = randomTransform(10);
    const reference::Rendering before = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {});
    const reference::Rendering after = reference::render(reference::fromGaussians(transformed(scene.gaussians, transform)),
                                                         transformed(scene.camera, transform), {.nearCutMargin = 1e-3});
    for (size_t i = 0; i < before.colour.pixels.size(); ++i) {
        if (after.nearCut.pixels[i / 3]) continue;
        EXPECT_NEAR(before.colour.pixels[i], after.colour.pixels[i], 1e-4) << i;
    }
}

}  // namespace
}  // namespace splat
