#include <splatwright/explain/weighted_draw.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/shared/training.h>
#include "explain/explained_scene.h"
#include "primitives/cdf_reference.h"

namespace splat::explain {
namespace {

/// Around the boundary of the distribution's tiles, of which each has sums of its own.
constexpr size_t kSizes[] = {1, 2, 300, 2047, 2048, 2049, 5000};

/// Gaussians of all opacities, and some that are too transparent to be divided, or dead.
ExplainedScene sceneOf(size_t count) {
    reference::Scene scene = reference::makeMixedScene(count, 32, 32, 3, 0);
    for (size_t i = 0; i < count; ++i) scene.gaussians.logitOpacities[i] = static_cast<float>(i % 17) - 8.0f;
    scene.gaussians.logitOpacities[0] = 1;
    return ExplainedScene(std::move(scene));
}

TEST(WeightedDraw, WeighsByOpacity) {
    const ExplainedScene scene = sceneOf(300);
    const WeightedDraw draw = drawForDivision(testDevice(), scene.model, 5, 1.05);
    ASSERT_EQ(draw.weights.size(), 300u);
    uint32_t dead = 0;
    for (size_t i = 0; i < draw.weights.size(); ++i) {
        const double opacity = 1 / (1 + std::exp(-static_cast<double>(scene.scene.gaussians.logitOpacities[i])));
        if (opacity > 0.05) {
            EXPECT_NEAR(draw.weights[i], opacity * 0x1p20, 3) << i;
        }
        if (opacity < 0.01) {
            EXPECT_EQ(draw.weights[i], 0u) << i;
        }
        if (opacity < 0.004) ++dead;
    }
    EXPECT_EQ(draw.dead, dead);
    EXPECT_GT(dead, 20u);
}

TEST(WeightedDraw, HasTheSumsAndTargetsOfTheHost) {
    for (const size_t size : kSizes) {
        SCOPED_TRACE(size);
        const ExplainedScene scene = sceneOf(size);
        const WeightedDraw draw = drawForDivision(testDevice(), scene.model, 5, 1.05);
        EXPECT_EQ(draw.sums, primitives::sumOnHost(draw.weights));
        const auto draws = static_cast<uint32_t>(draw.targets.size());
        EXPECT_EQ(draws, std::max(static_cast<uint32_t>(std::ceil(static_cast<double>(size) * (1.05 - 1))), 1u));
        for (uint32_t i = 0; i < draws; ++i) {
            EXPECT_EQ(draw.targets[i],
                      primitives::targetOnHost(primitives::Method::systematic, {5, shared::kGrowthStream}, i, draws, draw.total()));
        }
    }
}

TEST(WeightedDraw, FindsEachTargetInTheIntervalOfItsSource) {
    for (const size_t size : kSizes) {
        SCOPED_TRACE(size);
        const ExplainedScene scene = sceneOf(size);
        const WeightedDraw draw = drawForDivision(testDevice(), scene.model, 9, 1.3);
        std::vector<uint32_t> multiplicities(size);
        for (size_t i = 0; i < draw.targets.size(); ++i) {
            const uint32_t source = draw.sources[i];
            ++multiplicities[source];
            EXPECT_LT(draw.targets[i], draw.sums[source]);
            EXPECT_GE(draw.targets[i], draw.sums[source] - draw.weights[source]);
            const auto steps = searchOf(draw, draw.targets[i]);
            const uint32_t end = steps.empty() ? 0 : steps.back().exceeds ? steps.back().middle : steps.back().middle + 1;
            EXPECT_EQ(end, source);
            EXPECT_LE(steps.size(), static_cast<size_t>(std::ceil(std::log2(std::max<double>(static_cast<double>(size), 1)))));
        }
        EXPECT_EQ(draw.multiplicities, multiplicities);
    }
}

}  // namespace
}  // namespace splat::explain
