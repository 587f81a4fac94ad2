#include <splatwright/explain/pixel_blend.h>

#include <algorithm>

#include <gtest/gtest.h>

#include "explain/explained_scene.h"
#include "reference/render.h"

namespace splat::explain {
namespace {

PixelBlend traced(const TileFrame& tile) { return tracePixel(testDevice(), tile.frame(), tile.tile()); }

class PixelBlends : public testing::TestWithParam<std::string> {};

/// The kernels have the same functions; equal bits show that the steps are those of the picture.
TEST_P(PixelBlends, EndWithThePicturesBits) {
    const ExplainedScene scene(GetParam());
    for (const glm::uvec2 pixel : scene.somePixels()) {
        const PixelBlend blend = traced(scene.at(pixel));
        EXPECT_EQ(blend.colour, blend.drawn) << pixel.x << ',' << pixel.y;
        EXPECT_EQ(blend.transmittance, blend.drawnTransmittance) << pixel.x << ',' << pixel.y;
    }
}

TEST_P(PixelBlends, TakeTheStepsOfTheReference) {
    const ExplainedScene scene(GetParam());
    const reference::Settings settings{.shDegree = scene.scene.gaussians.shDegree, .background = scene.background};
    const auto projected = reference::projectAll(reference::fromGaussians(scene.scene.gaussians), scene.scene.camera, settings);
    const auto order = reference::depthOrder(projected);
    size_t compared = 0;
    for (const glm::uvec2 pixel : scene.somePixels()) {
        const auto expected = reference::tracePixel(projected, order, glm::dvec2(pixel) + 0.5, settings);
        if (expected.nearCut) continue;
        const TileFrame tile = scene.at(pixel);
        const PixelBlend blend = traced(tile);
        auto next = expected.contributions.begin();
        for (size_t i = 0; i < blend.steps.size(); ++i) {
            const shared::BlendStep& step = blend.steps[i];
            if (step.outcome != shared::kIsBlended) continue;
            ASSERT_NE(next, expected.contributions.end());
            EXPECT_EQ(tile.list()[i].gaussian, next->splat);
            EXPECT_NEAR(step.alpha, next->alpha.value, 1e-4);
            EXPECT_NEAR(step.transmittance, next->transmittance, 1e-4);
            EXPECT_NEAR(step.weight, next->alpha.value * next->transmittance, 1e-4);
            ++next;
            ++compared;
        }
        EXPECT_EQ(next, expected.contributions.end());
        EXPECT_NEAR(blend.transmittance, expected.transmittance, 1e-4);
    }
    EXPECT_GT(compared, 3u);
}

TEST_P(PixelBlends, AddUpToTheColour) {
    const ExplainedScene scene(GetParam());
    for (const glm::uvec2 pixel : scene.somePixels()) {
        const TileFrame tile = scene.at(pixel);
        const PixelBlend blend = traced(tile);
        glm::dvec3 sum = glm::dvec3(scene.background) * static_cast<double>(blend.transmittance);
        for (size_t i = 0; i < blend.steps.size(); ++i)
            sum += glm::dvec3(tile.list()[i].splat.colour) * static_cast<double>(blend.steps[i].weight);
        for (const int k : {0, 1, 2}) EXPECT_NEAR(blend.drawn[k], sum[k], 1e-5);
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, PixelBlends, testing::Values("mixed", "translucent", "opaque", "crowdedTile"),
                         [](const auto& p) { return p.param; });

/// Splats on top of each other end the pixel, and hide what lies behind. With alphas of at most a half, what is left stops just above the limit.
TEST(PixelBlend, StopsBeforeTheSplatThatWouldMakeItOpaque) {
    reference::Scene stack = reference::makeScene("crowdedTile", 7);
    for (float& logit : stack.gaussians.logitOpacities) logit = 0;
    for (glm::vec3& scale : stack.gaussians.logScales) scale += 2.0f;
    const ExplainedScene scene(std::move(stack));
    const PixelBlend blend = traced(scene.at(scene.centre()));
    const auto stop = std::ranges::find(blend.steps, shared::kEndsPixel, &shared::BlendStep::outcome);
    ASSERT_NE(stop, blend.steps.end());
    EXPECT_LT(stop->transmittance * (1 - stop->alpha), shared::kMinTransmittance);
    EXPECT_GE(stop->transmittance, shared::kMinTransmittance);
    EXPECT_EQ(stop->weight, 0);
    EXPECT_TRUE(std::all_of(stop + 1, blend.steps.end(), [](const auto& step) { return step.outcome == shared::kIsHidden; }));
    EXPECT_TRUE(std::all_of(blend.steps.begin(), stop, [](const auto& step) { return step.outcome < shared::kEndsPixel; }));
}

}  // namespace
}  // namespace splat::explain
