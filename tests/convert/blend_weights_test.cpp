// The largest blending weights of splats against the reference renderer.
#include <splatwright/convert/blend_weights.h>

#include <algorithm>

#include <gtest/gtest.h>

#include "reference/render.h"
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

std::vector<double> expectedWeights(const Gaussians& gaussians, std::span<const Camera> views) {
    std::vector<double> weights(gaussians.count());
    const reference::Settings settings{.antialiased = gaussians.antialiased};
    for (const Camera& view : views) {
        const auto projected = reference::projectAll(reference::fromGaussians(gaussians), view, settings);
        const auto order = reference::depthOrder(projected);
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
                for (const auto& c : reference::tracePixel(projected, order, {x + 0.5, y + 0.5}, settings).contributions)
                    weights[c.splat] = std::max(weights[c.splat], c.alpha.value * c.transmittance);
    }
    return weights;
}

std::vector<float> weightsOf(const Gaussians& gaussians, std::span<const Camera> views) {
    return largestBlendWeights(testDevice(), testSort(), gaussians, views);
}

/// Single precision may draw a splat that is at a threshold, whose weight is then at most 0.01 (behind kMinTransmittance / (1 - kMaxAlpha)).
void expectClose(const std::vector<float>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    size_t off = 0;
    for (size_t i = 0; i < found.size(); ++i) {
        const double error = std::abs(static_cast<double>(found[i]) - expected[i]);
        EXPECT_LT(error, 0.011) << i << ": " << found[i] << ", expected " << expected[i];
        if (error > 1e-4) ++off;
    }
    EXPECT_LE(off, found.size() / 50 + 1);
}

TEST(BlendWeights, AgreeWithTheReferenceOnAllScenes) {
    for (const std::string& name : reference::sceneNames()) {
        SCOPED_TRACE(name);
        const reference::Scene scene = reference::makeScene(name);
        const std::vector views{scene.camera};
        const auto expected = expectedWeights(scene.gaussians, views);
        expectClose(weightsOf(scene.gaussians, views), expected);
    }
}

TEST(BlendWeights, AgreeAtSizesAcrossTilesAndBatches) {
    for (const auto& [count, width, height] : {std::tuple{1, 1, 1}, {255, 16, 16}, {256, 17, 15}, {257, 33, 31}, {700, 64, 1}}) {
        SCOPED_TRACE(count);
        reference::Scene scene = reference::makeMixedScene(static_cast<size_t>(count), width, height, static_cast<uint64_t>(count));
        scene.gaussians.antialiased = count % 2 == 0;
        const std::vector views{scene.camera};
        expectClose(weightsOf(scene.gaussians, views), expectedWeights(scene.gaussians, views));
    }
}

TEST(BlendWeights, AreTheLargestOfAllViewsInAnyOrder) {
    const reference::Scene scene = reference::makeMixedScene(400, 48, 40);
    Camera other = scene.camera;
    other.translation += glm::dvec3(0.7, -0.4, 0.3);
    const auto first = weightsOf(scene.gaussians, std::vector{scene.camera}), second = weightsOf(scene.gaussians, std::vector{other});
    std::vector<float> largest;
    for (size_t i = 0; i < first.size(); ++i) largest.push_back(std::max(first[i], second[i]));
    EXPECT_NE(first, second);
    EXPECT_EQ(weightsOf(scene.gaussians, std::vector{scene.camera, other}), largest);
    EXPECT_EQ(weightsOf(scene.gaussians, std::vector{other, scene.camera}), largest);
}

TEST(BlendWeights, ViewsThatShowASplatAreThoseWhereItsWeightIsLarge) {
    const reference::Scene scene = reference::makeMixedScene(400, 48, 40);
    std::vector views{scene.camera, scene.camera, scene.camera};
    views[1].translation += glm::dvec3(0.7, -0.4, 0.3);
    views[2].translation += glm::dvec3(0, 0, 3);
    constexpr float kLeast = 0.02F;
    std::vector<uint32_t> expected(scene.gaussians.count());
    for (const Camera& view : views) {
        const auto weights = weightsOf(scene.gaussians, std::vector{view});
        for (size_t i = 0; i < expected.size(); ++i) expected[i] += weights[i] >= kLeast ? 1u : 0u;
    }
    EXPECT_EQ(viewsShowing(testDevice(), testSort(), scene.gaussians, views, kLeast), expected);
    for (const uint32_t count : {0u, 1u, 2u, 3u}) EXPECT_NE(std::ranges::find(expected, count), expected.end()) << count;
    EXPECT_TRUE(viewsShowing(testDevice(), testSort(), {}, views, kLeast).empty());
}

/// More pairs of splat and tile than the first frame has room for: what the incomplete one lists does not count.
TEST(BlendWeights, AFrameThatHasToGrowCountsOnlyOnceItIsComplete) {
    reference::Scene scene = reference::makeMixedScene(60, 160, 160);
    for (glm::vec3& scale : scene.gaussians.logScales) scale = glm::vec3(0);
    const std::vector views{scene.camera};
    expectClose(weightsOf(scene.gaussians, views), expectedWeights(scene.gaussians, views));
}

TEST(BlendWeights, AreNothingWithoutSplatsOrViews) {
    const reference::Scene scene = reference::makeScene("mixed");
    EXPECT_TRUE(weightsOf({}, std::vector{scene.camera}).empty());
    EXPECT_EQ(weightsOf(scene.gaussians, {}), std::vector<float>(scene.gaussians.count()));
}

}  // namespace
}  // namespace splat
