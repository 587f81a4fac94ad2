#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reference/update.h"
#include "support/test_device.h"
#include "train/refined.h"

namespace splat {
namespace {

using reference::Fate;
using reference::Offspring;

reference::Rules rulesOf(const TrainSettings& s) {
    return {.gradient = s.of<DefaultStrategySettings>().growGrad2d,
            .scale = s.of<DefaultStrategySettings>().growScale3d * kExtent,
            .radius = s.of<DefaultStrategySettings>().growScale2d,
            .pruneOpacity = s.pruneOpacity,
            .pruneScale = s.of<DefaultStrategySettings>().pruneScale3d > 0 ? s.of<DefaultStrategySettings>().pruneScale3d * kExtent
                                                                           : std::numeric_limits<double>::infinity(),
            .pruneRadius = s.of<DefaultStrategySettings>().pruneScale2d,
            .radiusUntil = s.of<DefaultStrategySettings>().scale2dUntil,
            .pruneScaleFrom = s.of<DefaultStrategySettings>().pruneScaleFrom,
            .revisedOpacity = s.of<DefaultStrategySettings>().revisedOpacity};
}

/// A part of a split lies where its own random numbers say, in the frame of the whole.
void expectPart(const Refined& run, size_t i, const Gaussians& from, size_t parent, bool revised) {
    const glm::dvec3 noise = reference::normalNumbers(run.result.seed, static_cast<uint32_t>(i), 2);
    const glm::dvec4 v = glm::normalize(glm::dvec4(from.rotations[parent]));
    const glm::dvec3 axis(v.y, v.z, v.w);
    const glm::dvec3 offset = noise * glm::exp(glm::dvec3(from.logScales[parent]));
    const glm::dvec3 turned = offset + 2.0 * glm::cross(axis, glm::cross(axis, offset) + v.x * offset);
    const glm::dvec3 expected = glm::dvec3(from.means[parent]) + turned;
    // A GPU's sine and cosine of Box and Muller may be off by 1e-6.
    EXPECT_LT(glm::length(glm::dvec3(run.gaussians.means[i]) - expected), 1e-5 * (1 + glm::length(offset))) << i;
    for (int axisIndex = 0; axisIndex < 3; ++axisIndex)
        EXPECT_NEAR(run.gaussians.logScales[i][axisIndex], from.logScales[parent][axisIndex] - std::log(1.6), 2e-6) << i;
    EXPECT_EQ(run.gaussians.rotations[i], from.rotations[parent]) << i;
    const double opacity = 1 / (1 + std::exp(-static_cast<double>(from.logitOpacities[parent])));
    const double part = 1 - std::sqrt(1 - opacity);
    EXPECT_NEAR(run.gaussians.logitOpacities[i], revised ? std::log(part / (1 - part)) : from.logitOpacities[parent], 1e-4) << i;
}

/// Every Gaussian is as it was.
Origins unmoved(uint32_t count) {
    Origins origins;
    for (uint32_t i = 0; i < count; ++i) origins.emplace_back(i);
    return origins;
}

void expectRefined(Refined& run, const State& state, const std::vector<Offspring>& expected, const TrainSettings& settings) {
    const bool revised = settings.of<DefaultStrategySettings>().revisedOpacity;
    std::set<uint32_t> halved;
    ASSERT_EQ(run.gaussians.count(), expected.size());
    EXPECT_EQ(run.result.seed, TrainSettings{}.seed + state.step);
    for (size_t i = 0; i < expected.size(); ++i) {
        const auto [parent, fate] = expected[i];
        expectSameColours(run.gaussians, i, state.gaussians, parent);
        if (fate != Fate::part)
            expectCopies(run.gaussians, i, state.gaussians, parent);
        else if (settings.longAxisSplit)
            expectLongAxisChild(run.gaussians, i, state.gaussians, parent, halved.insert(parent).second ? 1 : -1);
        else
            expectPart(run, i, state.gaussians, parent, revised);
    }
    expectMoments(run, originsOf(expected));
}

class DefaultDensifier : public testing::TestWithParam<size_t> {};
TEST_P(DefaultDensifier, DecidesAsTheReferenceExactly) {
    for (const auto& [settings, step] : {std::pair(standardDensification(), 600u), std::pair(standardDensification(), 3200u),
                                         std::pair(settingsOf("default"), 600u), std::pair(settingsOf("default"), 3200u)}) {
        SCOPED_TRACE(fmt::format("{}, step {}", settings.longAxisSplit ? "as by default" : "gsplat's", step));
        const State state = makeState(GetParam(), step);
        const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), step, kUnlimited);
        Refined run(state, settings, static_cast<uint32_t>(2 * GetParam()));
        run.refine(step);
        expectRefined(run, state, expected, settings);
        const auto statistics = testDevice().download<float>(run.store.densifyStatistics, 3 * expected.size());
        EXPECT_TRUE(std::ranges::all_of(statistics, [](float g) { return g == 0; }));
    }
}
INSTANTIATE_TEST_SUITE_P(Sizes, DefaultDensifier, testing::Values(1, 255, 256, 257, 3000), testing::PrintToStringParamName());

TEST(DefaultDensifierRules, SizeWidthAndRevisedOpacityCountWhereAskedFor) {
    TrainSettings settings = standardDensification();
    settings.of<DefaultStrategySettings>().scale2dUntil = 15'000;
    settings.of<DefaultStrategySettings>().pruneScale3d = 0.1;
    settings.of<DefaultStrategySettings>().revisedOpacity = true;
    const State state = makeState(1200, 3200, 5);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 3200, kUnlimited);
    Refined run(state, settings, 2400);
    run.refine(3200);
    expectRefined(run, state, expected, settings);
}

TEST(DefaultDensifierRules, LargeOnesArePrunedAfterTheirStepWithoutResets) {
    TrainSettings settings = settingsOf("default");
    const State state = makeState(1200, 3000, 6);
    size_t before = 0;
    for (const uint32_t from : {3000u, 2999u}) {
        settings.of<DefaultStrategySettings>().pruneScaleFrom = from;
        const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 3000, kUnlimited);
        Refined run(state, settings, 2400);
        run.refine(3000);
        expectRefined(run, state, expected, settings);
        EXPECT_TRUE(before == 0 || expected.size() < before);
        before = expected.size();
    }
}

TEST(DefaultDensifierRules, AtTheLimitBirthsAreSpreadEvenly) {
    const TrainSettings settings = standardDensification();
    const State state = makeState(2000, 600, 7);
    const auto all = reference::refine(state.gaussians, state.seen, rulesOf(settings), 600, kUnlimited);
    const auto limit = static_cast<uint32_t>(all.size() - 100);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 600, limit);
    ASSERT_LE(expected.size(), limit);
    ASSERT_GE(expected.size() + 1, limit);
    Refined run(state, settings, 4000, limit);
    run.refine(600);
    expectRefined(run, state, expected, settings);
}

// A limit that was lowered while it trains.
TEST(DefaultDensifierRules, AModelAboveItsLimitDoesNotGrow) {
    const TrainSettings settings = standardDensification();
    const State state = makeState(1000, 600, 8);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 600, 500);
    ASSERT_GT(expected.size(), 500u);
    ASSERT_LT(expected.size(), 1000u) << "some are pruned";
    Refined run(state, settings, 2000, 500);
    run.refine(600);
    expectRefined(run, state, expected, settings);
}

TEST(DefaultDensifierRules, WithoutCapacityNothingChangesAndTheNeedIsTold) {
    const TrainSettings settings = standardDensification();
    const State state = makeState(1500, 600, 9);
    const auto wanted = reference::refine(state.gaussians, state.seen, rulesOf(settings), 600, kUnlimited);
    Refined run(state, settings, 1500);
    ASSERT_GT(wanted.size(), run.store.model.capacity);
    run.refine(600);
    EXPECT_EQ(run.state().halted, 1u);
    EXPECT_EQ(run.state().gaussiansNeeded, wanted.size());
    ASSERT_EQ(run.gaussians.count(), 1500u);
    for (size_t i = 0; i < 1500; ++i) {
        expectCopies(run.gaussians, i, state.gaussians, i);
        expectSameColours(run.gaussians, i, state.gaussians, i);
    }
    expectMoments(run, unmoved(1500));
    const auto statistics = testDevice().download<shared::DensifyStatistics>(run.store.densifyStatistics, 1500);
    for (size_t i = 0; i < 1500; ++i) {
        EXPECT_EQ(statistics[i].gradient, static_cast<float>(state.seen[i].gradient)) << i;
        EXPECT_EQ(statistics[i].views, static_cast<float>(state.seen[i].views)) << i;
        EXPECT_EQ(statistics[i].radius, static_cast<float>(state.seen[i].radius)) << i;
    }
}

// Only after that step is a size too large.
TEST(DefaultDensifierRules, AResetCutsOpacitiesAndForgetsTheirMoments) {
    TrainSettings settings = standardDensification();
    settings.of<DefaultStrategySettings>().scale2dUntil = 15'000;
    settings.of<DefaultStrategySettings>().pruneScale3d = 0.1;
    const State state = makeState(700, 3000, 2);
    Refined run(state, settings, 1400);
    run.refine(3000);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 3000, kUnlimited);
    ASSERT_EQ(run.gaussians.count(), expected.size());
    const auto most = static_cast<float>(std::log(0.01 / 0.99));
    for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(run.gaussians.logitOpacities[i], std::min(state.gaussians.logitOpacities[expected[i].parent], most));
    expectMoments(run, originsOf(expected), "logit_opacity_moments");
}

/// The opacity that is drawn.
double drawnOpacity(double logit, glm::dvec3 logScale, double variance) {
    const glm::dvec3 squares = glm::exp(2.0 * logScale), ratios = squares / (squares + variance);
    return std::sqrt(ratios.x * ratios.y * ratios.z) / (1 + std::exp(-logit));
}

TEST(DefaultDensifierRules, AResetCutsOpacitiesAsTheyAreDrawn) {
    const TrainSettings settings = standardDensification();
    const State state = makeState(700, 3000, 2);
    Refined run(state, settings, 1400);
    run.store.filter3d(true);
    std::vector<float> variances;
    for (size_t i = 0; i < 700; ++i) variances.push_back(std::exp(2 * state.gaussians.logScales[i].x) * static_cast<float>(i % 10));
    variances.resize(run.store.model.capacity);
    testDevice().upload(run.store.model.filterVariances, variances);
    run.refine(3000);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 3000, kUnlimited);
    ASSERT_EQ(run.gaussians.count(), expected.size());
    const auto moved = testDevice().download<float>(run.store.model.filterVariances, expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        const auto [parent, fate] = expected[i];
        EXPECT_EQ(moved[i], variances[parent]) << i;
        const double opacity = 1 / (1 + std::exp(-static_cast<double>(run.gaussians.logitOpacities[i])));  // filtered when downloaded
        EXPECT_LE(opacity, 0.01 * (1 + 1e-4)) << i;
        if (fate == Fate::part) continue;
        const double before =
            drawnOpacity(static_cast<double>(state.gaussians.logitOpacities[parent]), state.gaussians.logScales[parent], moved[i]);
        EXPECT_NEAR(opacity, std::min(before, 0.01), 1e-4 * opacity) << i;
    }
}

TEST(DefaultDensifierRules, SortingByPlaceChangesTheOrderAndNothingElse) {
    TrainSettings settings = standardDensification();
    const State state = makeState(900, 600, 3);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 600, kUnlimited);
    settings.mortonEvery = 1;
    Refined run(state, settings, 1800);
    run.refine(600);
    ASSERT_EQ(run.gaussians.count(), expected.size());
    std::vector<Offspring> sorted = expected;
    std::ranges::stable_sort(sorted, {}, [&](const Offspring& o) { return mortonCode(state.gaussians.means[o.parent]); });
    expectRefined(run, state, sorted, settings);
}

TEST(Densifiers, AreFoundByNameOrRefusedWithTheNames) {
    for (const DensifierRow* row : densifierTable()) EXPECT_EQ(&densifierByName(row->name), row);
    try {
        densifierByName("mcm");
        FAIL();
    } catch (const InputError& problem) {
        EXPECT_STREQ(problem.what(), "strategy is 'mcm', expected one of default, mcmc, budget, fixed, picture");
    }
}

TEST(Densifiers, RefineBetweenTheirLimitsAndSortInTheirRhythm) {
    TrainSettings s;
    std::vector<uint32_t> refined, sorted;
    for (uint32_t step = 1; step <= 30'000; ++step) {
        if (!refinesAfter(s, step)) continue;
        refined.push_back(step);
        if (sortsByPlace(s, step)) sorted.push_back(step);
    }
    EXPECT_EQ(refined.front(), 600u);
    EXPECT_EQ(refined.back(), 14'900u);
    EXPECT_EQ(refined.size(), 144u);
    EXPECT_EQ(sorted.front(), 600u);
    EXPECT_EQ(sorted[1], 1600u);
}

}  // namespace
}  // namespace splat
