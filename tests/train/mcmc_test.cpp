#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/mcmc_settings.h>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/test_device.h"
#include "train/refined.h"

namespace splat {
namespace {

double opacityOf(const Gaussians& g, size_t i) { return 1 / (1 + std::exp(-static_cast<double>(g.logitOpacities[i]))); }

std::vector<uint32_t> weightsOf(const Gaussians& g, double least) {
    std::vector<uint32_t> weights;
    for (size_t i = 0; i < g.count(); ++i)
        weights.push_back(reference::affordableCopies(opacityOf(g, i), least) > 1 ? static_cast<uint32_t>(std::lround(opacityOf(g, i) * 0x1p20)) : 0);
    return weights;
}

/// The draws of each as far as its opacity affords them.
std::vector<uint32_t> affordable(const std::vector<uint32_t>& sources, const Gaussians& g, double least) {
    std::vector<uint32_t> kept, drawn(g.count());
    for (const uint32_t s : sources) {
        if (++drawn[s] < reference::affordableCopies(opacityOf(g, s), least)) kept.push_back(s);
    }
    return kept;
}

/// A source shares its place with its copies; every other gaussian is as it was. Software Vulkan is off by 7e-6; the pow of a GPU may be off by
/// 3e-7, which is 6e-5 of the least opacity.
void expectShared(const Gaussians& found, const Gaussians& before, size_t i, uint32_t copies, double least) {
    if (copies == 0) return expectCopies(found, i, before, i);
    const auto share = reference::shareOf(opacityOf(before, i), std::min(copies + 1, 51u), least);
    EXPECT_NEAR(opacityOf(found, i) / share.opacity, 1, 2e-4) << i << " drawn " << copies;
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(found.logScales[i][axis], before.logScales[i][axis] + std::log(share.scale), 2e-4) << i << " drawn " << copies;
    EXPECT_EQ(found.means[i], before.means[i]);
    EXPECT_EQ(found.rotations[i], before.rotations[i]);
}

std::vector<uint32_t> countsOf(const std::vector<uint32_t>& sources, size_t gaussians) {
    std::vector<uint32_t> counts(gaussians);
    for (const uint32_t s : sources) ++counts[s];
    return counts;
}

/// Adam starts anew for those that were drawn.
Origins originsOf(const std::vector<uint32_t>& counts) {
    Origins origins;
    for (uint32_t i = 0; i < counts.size(); ++i) origins.push_back(counts[i] > 0 ? std::nullopt : std::optional(i));
    return origins;
}

class McmcDensifier : public testing::TestWithParam<size_t> {};
TEST_P(McmcDensifier, MovesTheDeadToWhatTheReferenceDraws) {
    TrainSettings settings = settingsOf("mcmc");
    settings.of<McmcSettings>().growFactor = 1;
    const State state = makeState(GetParam(), 600, 4);
    const Gaussians& before = state.gaussians;
    std::vector<uint32_t> dead;
    for (uint32_t i = 0; i < before.count(); ++i)
        if (opacityOf(before, i) <= settings.pruneOpacity) dead.push_back(i);
    const auto draws =
        reference::drawSystematically(weightsOf(before, settings.pruneOpacity), static_cast<uint32_t>(dead.size()), settings.seed + 600, 3);
    const auto sources = affordable(draws, before, settings.pruneOpacity);
    Refined run(state, settings, static_cast<uint32_t>(GetParam()));
    run.refine(600);
    ASSERT_EQ(run.gaussians.count(), before.count());
    const auto counts = countsOf(sources, before.count());
    for (size_t i = 0; i < before.count(); ++i)
        if (opacityOf(before, i) > settings.pruneOpacity) expectShared(run.gaussians, before, i, counts[i], settings.pruneOpacity);
    for (size_t j = 0; j < sources.size(); ++j) {
        expectCopies(run.gaussians, dead[j], run.gaussians, sources[j]);
        expectSameColours(run.gaussians, dead[j], before, sources[j]);
    }
    expectMoments(run, originsOf(counts));
}
INSTANTIATE_TEST_SUITE_P(Sizes, McmcDensifier, testing::Values(1, 255, 256, 257, 5000), testing::PrintToStringParamName());

/// As a state, but nothing is dead.
State livingState(size_t count) {
    State state = makeState(count, 700, 6);
    for (float& o : state.gaussians.logitOpacities) o = std::max(o, 0.0f);
    return state;
}

TEST(McmcDensifierGrowth, AddsWhatTheReferenceDraws) {
    const TrainSettings settings = settingsOf("mcmc");
    const State state = livingState(4000);
    const Gaussians& before = state.gaussians;
    const auto sources = reference::drawSystematically(weightsOf(before, settings.pruneOpacity), 200, settings.seed + 700, 4);
    Refined run(state, settings, 4400);
    run.refine(700);
    ASSERT_EQ(run.gaussians.count(), 4200u);
    const auto counts = countsOf(sources, before.count());
    for (size_t i = 0; i < before.count(); ++i) expectShared(run.gaussians, before, i, counts[i], settings.pruneOpacity);
    for (size_t j = 0; j < sources.size(); ++j) {
        expectCopies(run.gaussians, 4000 + j, run.gaussians, sources[j]);
        expectSameColours(run.gaussians, 4000 + j, before, sources[j]);
    }
    Origins origins = originsOf(counts);
    origins.resize(4200);  // and for those that are new
    expectMoments(run, origins);
}

void expectUnchanged(Refined& run, const State& state) {
    for (size_t i = 0; i < state.gaussians.count(); ++i) {
        expectCopies(run.gaussians, i, state.gaussians, i);
        expectSameColours(run.gaussians, i, state.gaussians, i);
    }
    expectMoments(run, originsOf(std::vector<uint32_t>(state.gaussians.count())));
}

TEST(McmcDensifierGrowth, StopsAtTheLimitAndAsksForCapacity) {
    const TrainSettings settings = settingsOf("mcmc");
    Refined limited(livingState(1000), settings, 2000, 1010);
    limited.refine(700);
    EXPECT_EQ(limited.gaussians.count(), 1010u);
    Refined full(livingState(1000), settings, 1000, 2000);
    full.refine(700);
    ASSERT_EQ(full.store.model.capacity, 1024u);
    EXPECT_EQ(full.state().halted, 1u);
    EXPECT_EQ(full.state().gaussiansNeeded, 1050u);
    expectUnchanged(full, livingState(1000));
}

TEST(McmcDensifierGrowth, WhereAllAreDeadNothingHappens) {
    const TrainSettings settings = settingsOf("mcmc");
    State state = makeState(500, 700, 8);
    for (float& o : state.gaussians.logitOpacities) o = -9;
    Refined run(state, settings, 1000);
    run.refine(700);
    ASSERT_EQ(run.gaussians.count(), 500u);
    expectUnchanged(run, state);
}

TEST(McmcDensifierGrowth, SortingByPlaceMovesMomentsAlong) {
    TrainSettings settings = settingsOf("mcmc");
    settings.of<McmcSettings>().growFactor = 1;
    settings.mortonEvery = 1;
    const State state = livingState(600);
    Refined run(state, settings, 600);
    run.refine(600);
    std::vector<uint32_t> order(600);
    for (uint32_t i = 0; i < 600; ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](uint32_t i) { return mortonCode(state.gaussians.means[i]); });
    for (size_t i = 0; i < 600; ++i) {
        expectCopies(run.gaussians, i, state.gaussians, order[i]);
        expectSameColours(run.gaussians, i, state.gaussians, order[i]);
    }
    expectMoments(run, Origins(order.begin(), order.end()));
}

}  // namespace
}  // namespace splat
