#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/mcmc_settings.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "support/test_device.h"
#include "train/refined.h"
#include "train/stored_words.h"

namespace splat {
namespace {

float logit(double opacity) { return static_cast<float>(std::log(opacity / (1 - opacity))); }

double opacityOf(const Gaussians& g, size_t i) { return 1 / (1 + std::exp(-static_cast<double>(g.logitOpacities[i]))); }

std::vector<uint32_t> weightsOf(const Gaussians& g, double least) {
    std::vector<uint32_t> weights;
    for (size_t i = 0; i < g.count(); ++i)
        weights.push_back(
            reference::affordableCopies(opacityOf(g, i), least) > 1 ? static_cast<uint32_t>(std::lround(opacityOf(g, i) * 0x1p20)) : 0);
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
void expectShared(const Gaussians& found, const Gaussians& before, size_t i, uint32_t copies) {
    if (copies == 0) return expectCopies(found, i, before, i);
    const auto share = reference::shareOf(opacityOf(before, i), copies + 1);
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

/// Relocates the dead of a state; returns how many stay dead because no opacity affords their copies.
size_t expectDeadMoved(const State& state) {
    TrainSettings settings = settingsOf("mcmc");
    settings.of<McmcSettings>().growFactor = 1;
    const Gaussians& before = state.gaussians;
    std::vector<uint32_t> dead;
    for (uint32_t i = 0; i < before.count(); ++i)
        if (opacityOf(before, i) <= settings.pruneOpacity) dead.push_back(i);
    const auto draws =
        reference::drawSystematically(weightsOf(before, settings.pruneOpacity), static_cast<uint32_t>(dead.size()), settings.seed + 600, 3);
    const auto sources = affordable(draws, before, settings.pruneOpacity);
    Refined run(state, settings, static_cast<uint32_t>(before.count()));
    run.refine(600);
    EXPECT_EQ(run.gaussians.count(), before.count());
    const auto counts = countsOf(sources, before.count());
    for (size_t i = 0; i < before.count(); ++i)
        if (opacityOf(before, i) > settings.pruneOpacity) expectShared(run.gaussians, before, i, counts[i]);
    for (size_t j = 0; j < sources.size(); ++j) {
        expectCopies(run.gaussians, dead[j], run.gaussians, sources[j]);
        expectSameColours(run.gaussians, dead[j], before, sources[j]);
    }
    for (size_t j = sources.size(); j < dead.size(); ++j) expectCopies(run.gaussians, dead[j], before, dead[j]);
    expectMoments(run, originsOf(counts));
    return dead.size() - sources.size();
}

class McmcDensifier : public testing::TestWithParam<size_t> {};
TEST_P(McmcDensifier, MovesTheDeadToWhatTheReferenceDraws) { expectDeadMoved(makeState(GetParam(), 600, 4)); }
INSTANTIATE_TEST_SUITE_P(Sizes, McmcDensifier, testing::Values(1, 255, 256, 257, 5000), testing::PrintToStringParamName());

/// As a state, but nothing is dead.
State livingState(size_t count) {
    State state = makeState(count, 700, 6);
    for (float& o : state.gaussians.logitOpacities) o = std::max(o, 0.0f);
    return state;
}

/// Grows a state in which nothing is dead; returns how many of the drawn copies no opacity affords.
size_t expectGrown(const State& state, double growFactor) {
    TrainSettings settings = settingsOf("mcmc");
    settings.of<McmcSettings>().growFactor = growFactor;
    const Gaussians& before = state.gaussians;
    const auto count = static_cast<uint32_t>(before.count());
    const auto wanted = static_cast<uint32_t>(std::floor(count * growFactor) - count);
    const auto draws = reference::drawSystematically(weightsOf(before, settings.pruneOpacity), wanted, settings.seed + 700, 4);
    const auto sources = affordable(draws, before, settings.pruneOpacity);
    Refined run(state, settings, 2 * count);
    run.refine(700);
    EXPECT_EQ(run.gaussians.count(), count + sources.size());
    const auto counts = countsOf(sources, count);
    for (size_t i = 0; i < count; ++i) expectShared(run.gaussians, before, i, counts[i]);
    for (size_t j = 0; j < sources.size(); ++j) {
        expectCopies(run.gaussians, count + j, run.gaussians, sources[j]);
        expectSameColours(run.gaussians, count + j, before, sources[j]);
    }
    Origins origins = originsOf(counts);
    origins.resize(count + sources.size());  // and for those that are new
    expectMoments(run, origins);
    return draws.size() - sources.size();
}

TEST(McmcDensifierGrowth, AddsWhatTheReferenceDraws) { EXPECT_EQ(expectGrown(livingState(4000), 1.0625), 0u); }

/// Opacities that afford one, two and three Gaussians each twice as opaque as `prune_opacity`, with all between two and three draws per Gaussian.
TEST(McmcDensifierGrowth, NothingIsDividedBeyondWhatItsOpacityAffords) {
    for (const size_t count : {size_t{255}, size_t{257}, size_t{2000}}) {
        SCOPED_TRACE(count);
        State faint = makeState(count, 700, 6);
        for (size_t i = 0; i < count; ++i) faint.gaussians.logitOpacities[i] = logit(std::array{0.015, 0.025, 0.035}[i % 3]);
        EXPECT_GT(expectGrown(faint, 1.875), 0u);
        for (size_t i = 0; i < count; ++i)
            if (i % 4 != 0) faint.gaussians.logitOpacities[i] = -9;
        EXPECT_GT(expectDeadMoved(faint), 0u);
    }
}

/// A copy may lie where no view sees it, as its source may.
TEST(McmcDensifierGrowth, CopiesAreUnseenForAsLongAsTheirSource) {
    const State state = livingState(300);
    Refined run(state, settingsOf("mcmc"), 600);
    run.store.countUnseen(true);
    std::vector<uint32_t> steps(300);
    std::iota(steps.begin(), steps.end(), 1u);
    setWords(run.store.unseenSteps, steps);
    run.refine(700);
    ASSERT_EQ(run.gaussians.count(), 315u);
    const auto found = wordsOf<uint32_t>(run.store.unseenSteps, 315);
    for (size_t i = 0; i < found.size(); ++i) {
        const auto source = std::ranges::find(state.gaussians.means, run.gaussians.means[i]);
        EXPECT_EQ(found[i], steps[static_cast<size_t>(source - state.gaussians.means.begin())]) << i;
    }
}

/// An opacity that rounds to 1 has no finite logit.
TEST(McmcDensifierGrowth, TheMostOpaqueAreDividedIntoFiniteOnes) {
    State opaque = livingState(300);
    for (float& o : opaque.gaussians.logitOpacities) o = 40;
    Refined run(opaque, settingsOf("mcmc"), 600);
    run.refine(700);
    ASSERT_EQ(run.gaussians.count(), 315u);
    for (size_t i = 0; i < run.gaussians.count(); ++i) {
        EXPECT_TRUE(std::isfinite(run.gaussians.logitOpacities[i])) << i;
        for (int axis = 0; axis < 3; ++axis) EXPECT_TRUE(std::isfinite(run.gaussians.logScales[i][axis])) << i;
    }
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
