#include "reference/render.h"

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "reference/scenes.h"

namespace splat::reference {
namespace {

Projected disc(double opacity, const glm::dvec3& colour, double depth) {
    return {.visible = true, .mean = {0.5, 0.5}, .conic = {1, 0, 1}, .opacity = opacity, .colour = colour, .depth = depth};
}

void append(Splats& to, const Splats& from, size_t i) {
    const auto coefficients = static_cast<std::ptrdiff_t>(shCoefficients(from.shDegree));
    const auto first = from.sh.begin() + static_cast<std::ptrdiff_t>(i) * coefficients;
    to.shDegree = from.shDegree;
    to.means.push_back(from.means[i]);
    to.rotations.push_back(from.rotations[i]);
    to.logScales.push_back(from.logScales[i]);
    to.logitOpacities.push_back(from.logitOpacities[i]);
    to.sh.insert(to.sh.end(), first, first + coefficients);
}

void expectSamePicture(const Rendering& a, const Rendering& b) {
    EXPECT_EQ(a.colour.pixels, b.colour.pixels);
    EXPECT_EQ(a.transmittance.pixels, b.transmittance.pixels);
    EXPECT_EQ(a.contributors.pixels, b.contributors.pixels);
}

TEST(ReferenceBlend, AgreesWithTwoSplatsBlendedByHand) {
    // The nearer one is second in the list.
    const std::array splats{disc(0.8, {0, 1, 0}, 2), disc(0.5, {1, 0, 0}, 1)};
    const Rendering r = blend(splats, 2, 1, {.background = {0, 0, 1}});
    EXPECT_NEAR(r.colour.at(0, 0)[0], 0.5, 1e-15);
    EXPECT_NEAR(r.colour.at(0, 0)[1], 0.4, 1e-15);
    EXPECT_NEAR(r.colour.at(0, 0)[2], 0.1, 1e-15);
    EXPECT_NEAR(r.transmittance.at(0, 0)[0], 0.1, 1e-15);
    EXPECT_EQ(r.contributors.at(0, 0)[0], 2);

    const double falloff = std::exp(-0.5);
    EXPECT_NEAR(r.colour.at(1, 0)[0], 0.5 * falloff, 1e-15);
    EXPECT_NEAR(r.colour.at(1, 0)[1], 0.8 * falloff * (1 - 0.5 * falloff), 1e-15);
    EXPECT_NEAR(r.transmittance.at(1, 0)[0], (1 - 0.5 * falloff) * (1 - 0.8 * falloff), 1e-15);
}

TEST(ReferenceBlend, StopsBeforeTheSplatThatWouldLeaveTooLittleLight) {
    const std::array splats{disc(1, {1, 0, 0}, 1), disc(0.985, {0, 1, 0}, 2), disc(1, {0, 0, 1}, 3), disc(0.1, {0, 0, 1}, 4)};
    const Rendering r = blend(splats, 1, 1, {});
    EXPECT_NEAR(r.colour.at(0, 0)[0], 0.99, 1e-15) << "alpha is clamped";
    EXPECT_NEAR(r.transmittance.at(0, 0)[0], 1.5e-4, 1e-15);
    EXPECT_EQ(r.colour.at(0, 0)[2], 0);
    EXPECT_EQ(r.contributors.at(0, 0)[0], 2) << "nothing behind the stop is blended, not even a faint splat";
}

TEST(ReferenceBlend, FlagsPixelsNearAThreshold) {
    const auto flagged = [](std::initializer_list<double> opacities) {
        std::vector<Projected> splats;
        for (double opacity : opacities) splats.push_back(disc(opacity, glm::dvec3(1), static_cast<double>(splats.size())));
        return blend(splats, 1, 1, {}).nearCut.at(0, 0)[0] != 0;
    };
    EXPECT_FALSE(flagged({0.5, 0.5}));
    EXPECT_TRUE(flagged({0.5, kMinAlpha * (1 + 5e-5)}));
    EXPECT_TRUE(flagged({kMinAlpha * (1 - 5e-5)}));
    EXPECT_TRUE(flagged({kMaxAlpha * (1 + 5e-5)}));
    EXPECT_TRUE(flagged({0.98, 0.98, 0.75}));
    EXPECT_FALSE(flagged({0.98, 0.98, 0.7}));
}

TEST(ReferenceBlend, SmoothCutoffMeetsTheHardOneOutsideItsRamp) {
    const Settings hard, smooth{.smoothCutoff = true};
    for (const double alpha : {0.0, 0.9 / 255, 2.01 / 255, 0.5, 0.995}) {
        EXPECT_EQ(alphaOf(1, alpha, hard).value, alphaOf(1, alpha, smooth).value) << alpha;
        EXPECT_EQ(alphaOf(1, alpha, hard).slope, alphaOf(1, alpha, smooth).slope) << alpha;
    }
    constexpr double kStep = 1e-8;
    for (const double alpha : {1.0 / 255 + kStep, 1.2 / 255, 1.7 / 255, 2.0 / 255 - kStep}) {
        const double slope = (alphaOf(1, alpha + kStep, smooth).value - alphaOf(1, alpha - kStep, smooth).value) / (2 * kStep);
        EXPECT_NEAR(alphaOf(1, alpha, smooth).slope, slope, 1e-6) << alpha;
    }
}

TEST(ReferenceBlend, EqualDepthsKeepTheOrderOfTheList) {
    std::array splats{disc(0.5, {1, 0, 0}, 1), disc(0.5, {0, 1, 0}, 1), disc(0.5, {0, 0, 1}, 1)};
    splats[0].depth += 1e-12;  // equal as float
    splats[1].depth += 1e-6;   // in the same step
    EXPECT_EQ(depthOrder(splats), (std::vector<size_t>{0, 1, 2}));
    splats[1].depth += 2e-6;
    EXPECT_EQ(depthOrder(splats), (std::vector<size_t>{0, 2, 1}));
}

TEST(ReferenceRender, NoSplatsGiveTheBackground) {
    const Rendering r = render({}, {.width = 3, .height = 2, .fx = 3, .fy = 3, .cx = 1.5, .cy = 1}, {.background = {0.1, 0.2, 0.3}});
    for (int x = 0; x < 3; ++x) {
        EXPECT_EQ(r.colour.at(x, 1)[0], 0.1);
        EXPECT_EQ(r.colour.at(x, 1)[2], 0.3);
        EXPECT_EQ(r.transmittance.at(x, 1)[0], 1);
    }
}

TEST(ReferenceRender, HiddenSplatsDoNotChangeThePicture) {
    const Scene scene = makeMixedScene(60, 50, 40);
    const Splats seen = fromGaussians(scene.gaussians);
    Splats hidden;
    for (size_t i = 0; i < 6; ++i) append(hidden, seen, i);
    hidden.means[0] = scene.camera.position() - glm::transpose(scene.camera.rotation) * glm::dvec3(0, 0, 3);
    hidden.means[1] = scene.camera.position() + glm::transpose(scene.camera.rotation) * glm::dvec3(100, 0, 3);
    hidden.logitOpacities[2] = -10;
    hidden.rotations[3] = glm::dvec4(0);
    hidden.logScales[4].y = std::numeric_limits<double>::quiet_NaN();
    hidden.sh[5 * shCoefficients(hidden.shDegree) + 4].g = std::numeric_limits<double>::infinity();

    Splats both;
    for (size_t i = 0; i < 3; ++i) append(both, hidden, i);
    for (size_t i = 0; i < seen.count(); ++i) append(both, seen, i);
    for (size_t i = 3; i < 6; ++i) append(both, hidden, i);
    expectSamePicture(render(seen, scene.camera, {}), render(both, scene.camera, {}));
}

TEST(ReferenceRender, OrderOfTheListDoesNotMatterWhereDepthsDiffer) {
    const Scene scene = makeMixedScene(60, 50, 40);
    const Splats splats = fromGaussians(scene.gaussians);
    Splats reversed;
    for (size_t i = splats.count(); i-- > 0;) append(reversed, splats, i);
    expectSamePicture(render(splats, scene.camera, {}), render(reversed, scene.camera, {}));
}

TEST(ReferenceRender, MovingTheWorldAndTheCameraTogetherChangesNothing) {
    const Scene scene = makeMixedScene(60, 50, 40, 1, 0);  // degree 0: harmonics would have to be rotated too
    const glm::dvec4 turn = glm::normalize(glm::dvec4(0.8, -0.1, 0.5, 0.3));
    const glm::dmat3 r = rotationMatrix(turn);
    const glm::dvec3 shift(0.3, 2, -1);
    Splats moved = fromGaussians(scene.gaussians);
    for (glm::dvec3& mean : moved.means) mean = r * mean + shift;
    for (glm::dvec4& q : moved.rotations) {
        const glm::dvec3 a(turn.y, turn.z, turn.w), b(q.y, q.z, q.w);
        q = glm::dvec4(turn.x * q.x - glm::dot(a, b), turn.x * b + q.x * a + glm::cross(a, b));
    }
    Camera camera = scene.camera;
    camera.rotation = camera.rotation * glm::transpose(r);
    camera.translation -= camera.rotation * shift;

    const Rendering before = render(fromGaussians(scene.gaussians), scene.camera, {}), after = render(moved, camera, {});
    for (size_t i = 0; i < before.colour.pixels.size(); ++i) EXPECT_NEAR(before.colour.pixels[i], after.colour.pixels[i], 1e-9);
}

TEST(ReferenceScenes, AreReproducibleAndShowWhatTheyPromise) {
    for (const std::string& name : sceneNames()) {
        const Scene scene = makeScene(name), again = makeScene(name), other = makeScene(name, 2);
        EXPECT_EQ(scene.gaussians.means, again.gaussians.means) << name;
        EXPECT_NE(scene.gaussians.means, other.gaussians.means) << name;

        const auto projected = projectAll(fromGaussians(scene.gaussians), scene.camera, {});
        const auto order = depthOrder(projected);
        EXPECT_GE(order.size(), name == "tinyImage" ? 5u : 50u) << name;
        std::set<double> depths;
        for (size_t i : order) depths.insert(projected[i].depth);
        if (name == "equalDepths")
            EXPECT_EQ(depths.size(), 30u);
        else
            EXPECT_EQ(depths.size(), order.size()) << name;
    }
}

TEST(ReferenceScenes, CrowdedTileBlendsMoreThanAWorkgroup) {
    const Scene scene = makeScene("crowdedTile");
    const Rendering r = render(fromGaussians(scene.gaussians), scene.camera, {});
    EXPECT_GT(r.contributors.at(24, 8)[0], 256);
}

}  // namespace
}  // namespace splat::reference
