#include <splatwright/explain/weighted_draw.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/explain/draw_copy.h>
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

void spoil(const GaussianModel& model, int aboveDegree) {
    testDevice().run("spoil", [&](gpu::Commands& c) {
        for (size_t a = 0; a < std::size(kAttributes); ++a)
            for (uint32_t p = aboveDegree < 0 ? 0 : planesAt(kAttributes[a], aboveDegree); p < model.attributes.all()[a].planes(); ++p)
                c.fill(model.attributes.all()[a].slice(p, 0, model.capacity), UINT32_MAX);  // not a number
    });
}

/// A model in training has written no coefficients above its present degree, and memory holds what others left.
TEST(WeightedDraw, OfAModelOfLowDegreeIgnoresCoefficientsThatItDoesNotHave) {
    for (const size_t size : kSizes) {
        SCOPED_TRACE(size);
        const ExplainedScene scene = sceneOf(size);
        const WeightedDraw expected = drawForDivision(testDevice(), scene.model, 5, 1.05);
        for (const int degree : {2, 1, 0}) {
            spoil(scene.model, degree);
            spoil(GaussianModel(testDevice(), static_cast<uint32_t>(size)), -1);  // whose memory the copy may get
            const GaussianModel copy = copyForDraw(testDevice(), {.model = scene.model}, static_cast<uint32_t>(size), degree);
            const WeightedDraw draw = drawForDivision(testDevice(), copy, 5, 1.05);
            EXPECT_EQ(draw.weights, expected.weights) << degree;
            EXPECT_EQ(draw.dead, expected.dead);
        }
    }
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

/// A draw from weights of which every fifth is 0, by the kernels that a strategy runs.
primitives::CdfTable drawnTable(const std::vector<uint32_t>& weights, uint32_t draws) {
    gpu::Device& device = testDevice();
    const auto count = static_cast<uint32_t>(weights.size());
    const primitives::Cdf cdf(device);
    primitives::CdfTable table = cdf.table("drawn", count);
    const gpu::Buffer words = device.buffer<uint32_t>("weights", count), seed = device.buffer<uint32_t>("seed", 1);
    const gpu::Buffer sources = device.buffer<uint32_t>("sources", draws),
                      multiplicities = device.buffer<uint32_t>("multiplicities", count);
    device.upload(words, weights);
    device.upload(seed, std::vector{17u});
    device.run("draw", [&](gpu::Commands& c) {
        cdf.record(c, {words, table}, {count});
        cdf.recordSystematic(c, {.table = table, .seed = {seed, 0}, .stream = 3, .sources = sources, .multiplicities = multiplicities},
                             {draws});
    });
    return table;
}

TEST(LastDraw, IsWhatTheTableWasDrawnBy) {
    for (const size_t size : kSizes) {
        SCOPED_TRACE(size);
        std::vector<uint32_t> weights(size);
        for (size_t i = 0; i < size; ++i) weights[i] = i % 5 == 4 ? 0 : static_cast<uint32_t>(1 + i * 37 % 1000);
        const uint32_t draws = static_cast<uint32_t>(size / 3 + 1);
        const auto draw = lastDraw(testDevice(), drawnTable(weights, draws));
        ASSERT_TRUE(draw);
        EXPECT_EQ(draw->weights, weights);
        EXPECT_EQ(draw->sums, primitives::sumOnHost(weights));
        std::vector<uint32_t> multiplicities(size);
        ASSERT_EQ(draw->targets.size(), draws);
        for (uint32_t i = 0; i < draws; ++i) {
            EXPECT_EQ(draw->targets[i], primitives::targetOnHost(primitives::Method::systematic, {17, 3}, i, draws, draw->total()));
            const auto above = std::ranges::upper_bound(draw->sums, draw->targets[i]);
            EXPECT_EQ(draw->sources[i], static_cast<uint32_t>(above - draw->sums.begin()));
            ++multiplicities[draw->sources[i]];
        }
        EXPECT_EQ(draw->multiplicities, multiplicities);
    }
}

TEST(LastDraw, IsNoneBeforeTheFirstDraw) {
    const primitives::CdfTable table = primitives::Cdf(testDevice()).table("not drawn", 10);
    testDevice().upload(table.plan, std::vector{shared::CdfPlan{}});
    testDevice().upload(table.total, std::vector{shared::CdfTotal{}});
    testDevice().upload(table.arguments, std::vector{shared::DispatchArguments{}});
    EXPECT_FALSE(lastDraw(testDevice(), table));
}

}  // namespace
}  // namespace splat::explain
