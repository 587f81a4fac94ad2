#include "reference/project.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/render.h"
#include "reference/scenes.h"

namespace splat::reference {
namespace {

const Camera kCamera{.width = 40, .height = 20, .fx = 100, .fy = 50, .cx = 20, .cy = 10};

Splats oneSplat() {
    Splats splats;
    splats.means = {{0.1, -0.2, 2}};
    splats.rotations = {{2, 0, 0, 0}};
    splats.logScales = {{std::log(0.02), std::log(0.04), std::log(0.1)}};
    splats.logitOpacities = {0};
    splats.sh = {{1, 0, -2}};
    return splats;
}

// J = [[50, 0, -2.5], [0, 25, 2.5]] and covariance diag(4e-4, 1.6e-3, 1e-2) give [[1.3625, -0.0625], [-0.0625, 1.3625]].
TEST(ReferenceProject, AgreesWithAnExampleWorkedByHand) {
    const Projected p = project(oneSplat(), 0, kCamera, {});
    ASSERT_TRUE(p.visible);
    EXPECT_NEAR(p.mean.x, 25, 1e-12);
    EXPECT_NEAR(p.mean.y, 5, 1e-12);
    EXPECT_NEAR(p.conic.x, 1.3625 / 1.8525, 1e-12);
    EXPECT_NEAR(p.conic.y, 0.0625 / 1.8525, 1e-12);
    EXPECT_NEAR(p.conic.z, 1.3625 / 1.8525, 1e-12);
    EXPECT_EQ(p.opacity, 0.5);
    EXPECT_EQ(p.depth, 2);
    EXPECT_NEAR(p.colour.r, 0.7820947917738781, 1e-15);
    EXPECT_EQ(p.colour.g, 0.5);
    EXPECT_EQ(p.colour.b, 0) << "negative colour is clamped";
    EXPECT_NEAR(p.halfExtent.x, std::sqrt(2 * std::log(127.5) * 1.3625), 1e-12);
}

// Without dilation the covariance above is [[1.0625, -0.0625], [-0.0625, 1.0625]], of determinant 1.125.
TEST(ReferenceProject, AntialiasingMakesAWidenedSplatFainter) {
    const Projected plain = project(oneSplat(), 0, kCamera, {}), filtered = project(oneSplat(), 0, kCamera, {.antialiased = true});
    EXPECT_NEAR(filtered.opacity, 0.5 * std::sqrt(1.125 / 1.8525), 1e-12);
    EXPECT_LT(filtered.halfExtent.x, plain.halfExtent.x);
    EXPECT_EQ(filtered.conic, plain.conic);
}

// The integral of opacity * exp(power) over the image is 2 pi * opacity / sqrt(det conic): with the filter it is that of the sharp splat.
TEST(ReferenceProject, AntialiasingKeepsTheLightOfASplat) {
    const Splats splats = oneSplat();
    const Projected p = project(splats, 0, kCamera, {.antialiased = true});
    const glm::dmat2 sharp = imageCovariance(splats, 0, splats.means[0], kCamera);
    EXPECT_NEAR(p.opacity / std::sqrt(p.conic.x * p.conic.z - p.conic.y * p.conic.y), 0.5 * std::sqrt(glm::determinant(sharp)), 1e-12);
}

TEST(ReferenceProject, AntialiasingCullsWhatIsTooFaintOnceWidened) {
    Splats splats = oneSplat();
    splats.logScales[0] -= 7;
    EXPECT_TRUE(project(splats, 0, kCamera, {}).visible);
    EXPECT_FALSE(project(splats, 0, kCamera, {.antialiased = true}).visible);
}

TEST(ReferenceProject, QuarterTurnSwapsTheAxes) {
    Splats splats = oneSplat();
    splats.means[0] = {0, 0, 2};
    splats.rotations[0] = {3, 0, 0, 3};  // 90 degrees about z
    const Projected p = project(splats, 0, kCamera, {});
    EXPECT_NEAR(p.conic.x, 1 / (2500 * 0.0016 + 0.3), 1e-12);
    EXPECT_NEAR(p.conic.y, 0, 1e-12);
    EXPECT_NEAR(p.conic.z, 1 / (625 * 0.0004 + 0.3), 1e-12);
}

TEST(ReferenceProject, PositiveRotationTurnsXTowardsY) {
    const glm::dvec3 turned = rotationMatrix(glm::normalize(glm::dvec4(1, 0, 0, 1))) * glm::dvec3(1, 0, 0);
    EXPECT_NEAR(glm::distance(turned, glm::dvec3(0, 1, 0)), 0, 1e-15);
}

// tan(half field of view) is 0.2 along both axes, so x/z is held at (40 - 20) / 100 + 0.3 * 0.2 = 0.26.
TEST(ReferenceProject, JacobianIsHeldOutsideTheImageButThePositionIsNot) {
    const ViewRatio ratio = clampedRatio({2, -2, 2}, kCamera);
    EXPECT_NEAR(ratio.value.x, 0.26, 1e-15);
    EXPECT_NEAR(ratio.value.y, -0.26, 1e-15);
    EXPECT_TRUE(ratio.clamped.x && ratio.clamped.y);
    EXPECT_NEAR(projectionJacobian({2, -2, 2}, ratio, kCamera)[2].x, -100 * 0.26 / 2, 1e-12);

    Splats splats = oneSplat();
    splats.means[0] = {2, 0, 2};
    splats.logScales[0] = glm::dvec3(std::log(2.0));
    EXPECT_NEAR(project(splats, 0, kCamera, {}).mean.x, 120, 1e-12);
}

TEST(ReferenceProject, CullsWhatCannotBeSeen) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const auto visible = [](auto change) {
        Splats splats = oneSplat();
        change(splats);
        return project(splats, 0, kCamera, {}).visible;
    };
    EXPECT_FALSE(visible([](Splats& s) { s.means[0].z = 0.0099; }));
    EXPECT_FALSE(visible([](Splats& s) { s.means[0].z = -2; }));
    EXPECT_FALSE(visible([](Splats& s) { s.means[0].x = 3; }));
    EXPECT_FALSE(visible([](Splats& s) { s.rotations[0] = glm::dvec4(0); }));
    EXPECT_FALSE(visible([](Splats& s) { s.logitOpacities[0] = -5.6; })) << "opacity just below 1/255";
    EXPECT_TRUE(visible([](Splats& s) { s.logitOpacities[0] = -5.5; }));
    EXPECT_FALSE(visible([&](Splats& s) { s.means[0].y = nan; }));
    EXPECT_FALSE(visible([&](Splats& s) { s.rotations[0].w = inf; }));
    EXPECT_FALSE(visible([&](Splats& s) { s.logScales[0].x = 1e4; })) << "the covariance overflows";
    EXPECT_FALSE(visible([&](Splats& s) { s.logitOpacities[0] = inf; }));
    EXPECT_FALSE(visible([&](Splats& s) { s.sh[0].r = nan; }));
}

TEST(ReferenceProject, AlphaIsBelowTheCutOutsideTheExtent) {
    const Scene scene = makeScene("elongated");
    Rng rng(7);
    size_t outside = 0;
    for (const Projected& p : projectAll(fromGaussians(scene.gaussians), scene.camera, {})) {
        if (!p.visible) continue;
        for (int k = 0; k < 100; ++k) {
            const glm::dvec2 d = 1.5 * p.halfExtent * glm::dvec2(rng.uniform(-1, 1), rng.uniform(-1, 1));
            if (std::abs(d.x) <= p.halfExtent.x && std::abs(d.y) <= p.halfExtent.y) continue;
            const double power = -0.5 * (p.conic.x * d.x * d.x + p.conic.z * d.y * d.y) - p.conic.y * d.x * d.y;
            EXPECT_LT(p.opacity * std::exp(power), kMinAlpha);
            ++outside;
        }
    }
    EXPECT_GT(outside, 1000u);
}

TEST(ReferenceProject, ActiveDegreeLimitsTheCoefficientsInUse) {
    const Scene scene = makeMixedScene(1, 32, 24);
    Splats full = fromGaussians(scene.gaussians), cut = full;
    for (size_t k = shCoefficients(1); k < shCoefficients(3); ++k) cut.sh[k] = glm::dvec3(0);
    const glm::dvec3 direction = glm::normalize(glm::dvec3(1, 2, 3));
    EXPECT_EQ(unclampedColour(full, 0, direction, {.shDegree = 1}), unclampedColour(cut, 0, direction, {.shDegree = 3}));
    EXPECT_NE(unclampedColour(full, 0, direction, {.shDegree = 1}), unclampedColour(full, 0, direction, {.shDegree = 2}));
}

}  // namespace
}  // namespace splat::reference
