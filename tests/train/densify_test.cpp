#include "train/densify/densifier.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "core/random.h"
#include "reference/densify.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

using reference::Fate;
using reference::Offspring;
using reference::Seen;

constexpr double kExtent = 1.1;
constexpr uint32_t kUnlimited = UINT32_MAX;

/// A model in the middle of training: parameters, moments, what the densifier saw, and the step.
struct State {
    Gaussians gaussians;
    std::vector<Seen> seen;
    uint32_t step = 0;
};

/// Opacities are whole parts of 2^-20, so that host and device agree on their weights; nothing lies near enough to a threshold for single
/// precision to decide otherwise than double.
State makeState(size_t count, uint32_t step, uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    const auto vector = [&](double low, double high) { return glm::vec3(uniform(low, high), uniform(low, high), uniform(low, high)); };
    State state{.seen = std::vector<Seen>(count), .step = step};
    Gaussians& g = state.gaussians;
    g.resize(count, 3);
    for (size_t i = 0; i < count; ++i) {
        g.means[i] = vector(-2, 2);
        g.rotations[i] = glm::vec4(uniform(0.2, 1), vector(-1, 1));
        g.logScales[i] = vector(-7, uniform(0, 1) < 0.1 ? -1 : -4);
        const double opacity = std::round(std::pow(uniform(0.02, 0.97), 3) * 0x1p20) * 0x1p-20;
        g.logitOpacities[i] = static_cast<float>(std::log(opacity / (1 - opacity)));
        state.seen[i] = {.gradient = static_cast<float>(uniform(0, 2e-2)), .views = std::floor(uniform(0, 60)), .radius = 0};
        state.seen[i].radius = static_cast<float>(uniform(0, 0.3));
    }
    for (glm::vec3& c : g.sh) c = vector(-1, 1);
    return state;
}

float momentOf(size_t word) { return static_cast<float>(word % 1009) + 1; }

/// A store with this state, and moments that say where they came from.
class Refined {
public:
    Refined(const State& state, const TrainSettings& settings, uint32_t capacity, uint32_t limit = kUnlimited)
        : store(testDevice(), GaussianStore::roundedCapacity(capacity), true),
          settings_(settings),
          limit_(limit),
          frame_(testDevice(), {.gaussians = store.model.capacity, .instances = 64, .buckets = 0, .width = 16, .height = 16}),
          training_(testDevice().buffer<shared::TrainingState>("training", 1)),
          refinement_(testDevice().buffer<shared::Refinement>("refinement", 1)) {
        gpu::Device& device = testDevice();
        store.model.upload(device, state.gaussians);
        std::vector<shared::GrowthStatistics> growth(store.model.capacity);
        for (size_t i = 0; i < state.seen.size(); ++i) {
            const Seen& s = state.seen[i];
            growth[i] = {static_cast<float>(s.gradient), static_cast<float>(s.views), static_cast<float>(s.radius)};
        }
        device.upload(store.growth, growth);
        device.upload(training_, std::vector<shared::TrainingState>{{.step = state.step, .serial = 0}});
        for (const Attribute& a : store.attributes()) {
            if (a.kind == AttributeKind::moment) fillMoments(a, state.gaussians.count());
        }
    }

    /// Does the events that are due after the state's step.
    void refine(uint32_t step) {
        gpu::Device& device = testDevice();
        for (const RefineEvent& event : densifierByName(settings_.strategy).events({device, testSort(), settings_, kExtent})) {
            if (!event.due(step)) continue;
            device.run(event.name, [&](gpu::Commands& c) {
                event.record(c, {.store = store, .frame = frame_, .training = training_, .refinement = refinement_, .limit = limit_});
            });
            result = device.download<shared::Refinement>(refinement_, 1)[0];
            if (!state().halted) device.upload(store.model.count, std::vector<uint32_t>{result.after});
        }
        gaussians = store.model.download(device, 3);
    }

    shared::FrameState state() const { return testDevice().download<shared::FrameState>(frame_.state, 1)[0]; }

    /// First word of a moment of each gaussian and plane.
    std::vector<float> moments(std::string_view name) {
        for (const Attribute& a : store.attributes()) {
            if (a.name != name) continue;
            const auto words = testDevice().download<float>(*a.buffer, size_t{a.words} * a.planes * store.model.capacity);
            std::vector<float> first;
            for (size_t p = 0; p < a.planes; ++p)
                for (size_t i = 0; i < gaussians.count(); ++i) first.push_back(words[(p * store.model.capacity + i) * a.words]);
            return first;
        }
        throw Error("no attribute {}", name);
    }

    GaussianStore store;
    Gaussians gaussians;
    shared::Refinement result{};

private:
    void fillMoments(const Attribute& a, size_t count) {
        std::vector<float> words(size_t{a.words} * a.planes * store.model.capacity, 0.0f);
        for (size_t p = 0; p < a.planes; ++p)
            for (size_t i = 0; i < count * a.words; ++i) words[p * store.model.capacity * a.words + i] = momentOf(i / a.words + 31 * p);
        testDevice().upload(*a.buffer, words);
    }

    TrainSettings settings_;
    uint32_t limit_;
    FrameBuffers frame_;
    gpu::Buffer training_, refinement_;
};

TrainSettings settingsOf(std::string_view strategy) {
    TrainSettings settings;
    settings.strategy = strategy;
    densifierByName(strategy).defaults(settings);
    settings.mortonEvery = 0;
    return settings;
}

reference::Rules rulesOf(const TrainSettings& s) {
    return {.gradient = s.growGrad2d,
            .scale = s.growScale3d * kExtent,
            .radius = s.growScale2d,
            .pruneOpacity = s.pruneOpacity,
            .pruneScale = s.pruneScale3d > 0 ? s.pruneScale3d * kExtent : std::numeric_limits<double>::infinity(),
            .pruneRadius = s.pruneScale2d,
            .radiusUntil = s.scale2dUntil,
            .resetEvery = s.resetEvery,
            .revisedOpacity = s.revisedOpacity};
}

void expectCopies(const Gaussians& found, size_t i, const Gaussians& from, size_t parent) {
    EXPECT_EQ(found.means[i], from.means[parent]) << i;
    EXPECT_EQ(found.rotations[i], from.rotations[parent]) << i;
    EXPECT_EQ(found.logScales[i], from.logScales[parent]) << i;
    EXPECT_EQ(found.logitOpacities[i], from.logitOpacities[parent]) << i;
}

void expectSameColours(const Gaussians& found, size_t i, const Gaussians& from, size_t parent) {
    for (size_t k = 0; k < 16; ++k) EXPECT_EQ(found.sh[i * 16 + k], from.sh[parent * 16 + k]) << i;
}

/// A part of a split lies where its own random numbers say, in the frame of the whole.
void expectPart(const Refined& run, size_t i, const Gaussians& from, size_t parent, bool revised) {
    const auto words = random128(run.result.seed, static_cast<uint32_t>(i), 2);
    const auto pair = [](uint32_t a, uint32_t b) {
        const double radius = std::sqrt(-2 * std::log((a + 0.5) * 0x1p-32));
        const double angle = 6.283185307179586 * (b >> 8u) * 0x1p-24;
        return glm::dvec2(std::cos(angle), std::sin(angle)) * radius;
    };
    const glm::dvec3 noise(pair(words[0], words[1]), pair(words[2], words[3]).x);
    const glm::dvec4 v = glm::normalize(glm::dvec4(from.rotations[parent]));
    const glm::dvec3 axis(v.y, v.z, v.w);
    const glm::dvec3 offset = noise * glm::exp(glm::dvec3(from.logScales[parent]));
    const glm::dvec3 turned = offset + 2.0 * glm::cross(axis, glm::cross(axis, offset) + v.x * offset);
    const glm::dvec3 expected = glm::dvec3(from.means[parent]) + turned;
    EXPECT_LT(glm::length(glm::dvec3(run.gaussians.means[i]) - expected), 1e-5 * (1 + glm::length(offset))) << i;
    for (int axisIndex = 0; axisIndex < 3; ++axisIndex)
        EXPECT_NEAR(run.gaussians.logScales[i][axisIndex], from.logScales[parent][axisIndex] - std::log(1.6), 1e-5) << i;
    EXPECT_EQ(run.gaussians.rotations[i], from.rotations[parent]) << i;
    const double opacity = 1 / (1 + std::exp(-static_cast<double>(from.logitOpacities[parent])));
    const double part = 1 - std::sqrt(1 - opacity);
    EXPECT_NEAR(run.gaussians.logitOpacities[i], revised ? std::log(part / (1 - part)) : from.logitOpacities[parent], 1e-4) << i;
}

void expectRefined(Refined& run, const State& state, const std::vector<Offspring>& expected, bool revised = false) {
    ASSERT_EQ(run.gaussians.count(), expected.size());
    const auto moments = run.moments("sh_rest_moments");
    for (size_t i = 0; i < expected.size(); ++i) {
        const auto [parent, fate] = expected[i];
        expectSameColours(run.gaussians, i, state.gaussians, parent);
        fate == Fate::part ? expectPart(run, i, state.gaussians, parent, revised) : expectCopies(run.gaussians, i, state.gaussians, parent);
        for (size_t p = 0; p < 15; ++p)
            EXPECT_EQ(moments[p * expected.size() + i], fate == Fate::same ? momentOf(parent + 31 * p) : 0.0f) << i;
    }
}

class DefaultDensifier : public testing::TestWithParam<size_t> {};
TEST_P(DefaultDensifier, DecidesAsTheReferenceExactly) {
    const TrainSettings settings = settingsOf("default");
    for (const uint32_t step : {600u, 3200u}) {
        const State state = makeState(GetParam(), step);
        const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), step, kUnlimited);
        Refined run(state, settings, static_cast<uint32_t>(2 * GetParam()));
        run.refine(step);
        expectRefined(run, state, expected);
        const auto growth = testDevice().download<float>(run.store.growth, 3 * expected.size());
        EXPECT_TRUE(std::ranges::all_of(growth, [](float g) { return g == 0; }));
    }
}
INSTANTIATE_TEST_SUITE_P(Sizes, DefaultDensifier, testing::Values(1, 255, 256, 257, 3000), testing::PrintToStringParamName());

TEST(DefaultDensifierRules, SizeWidthAndRevisedOpacityCountWhereAskedFor) {
    TrainSettings settings = settingsOf("default");
    settings.scale2dUntil = 15'000;
    settings.pruneScale3d = 0.1;
    settings.revisedOpacity = true;
    const State state = makeState(1200, 3200, 5);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 3200, kUnlimited);
    Refined run(state, settings, 2400);
    run.refine(3200);
    expectRefined(run, state, expected, true);
}

TEST(DefaultDensifierRules, AtTheLimitBirthsAreSpreadEvenly) {
    const TrainSettings settings = settingsOf("default");
    const State state = makeState(2000, 600, 7);
    const auto all = reference::refine(state.gaussians, state.seen, rulesOf(settings), 600, kUnlimited);
    const auto limit = static_cast<uint32_t>(all.size() - 100);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 600, limit);
    ASSERT_LE(expected.size(), limit);
    ASSERT_GE(expected.size() + 1, limit);
    Refined run(state, settings, 4000, limit);
    run.refine(600);
    expectRefined(run, state, expected);
}

TEST(DefaultDensifierRules, WithoutCapacityNothingChangesAndTheNeedIsTold) {
    const TrainSettings settings = settingsOf("default");
    const State state = makeState(1500, 600, 9);
    const auto wanted = reference::refine(state.gaussians, state.seen, rulesOf(settings), 600, kUnlimited);
    Refined run(state, settings, 1500);
    ASSERT_GT(wanted.size(), run.store.model.capacity);
    run.refine(600);
    EXPECT_EQ(run.state().halted, 1u);
    EXPECT_EQ(run.state().gaussiansNeeded, wanted.size());
    ASSERT_EQ(run.gaussians.count(), 1500u);
    for (size_t i = 0; i < 1500; ++i) expectCopies(run.gaussians, i, state.gaussians, i);
    const auto growth = testDevice().download<shared::GrowthStatistics>(run.store.growth, 1500);
    for (size_t i = 0; i < 1500; ++i) EXPECT_EQ(growth[i].views, static_cast<float>(state.seen[i].views)) << i;
}

TEST(DefaultDensifierRules, AResetCutsOpacitiesAndForgetsTheirMoments) {
    const TrainSettings settings = settingsOf("default");
    const State state = makeState(700, 3000, 2);
    Refined run(state, settings, 1400);
    run.refine(3000);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 3000, kUnlimited);
    ASSERT_EQ(run.gaussians.count(), expected.size());
    const auto most = static_cast<float>(std::log(0.01 / 0.99));
    for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(run.gaussians.logitOpacities[i], std::min(state.gaussians.logitOpacities[expected[i].parent], most));
    EXPECT_TRUE(std::ranges::all_of(run.moments("logit_opacity_moments"), [](float m) { return m == 0; }));
}

/// The code of shaders/lib/morton.slang in the slowest way.
uint32_t mortonCode(glm::vec3 p) {
    const float reach = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    if (reach > 1) p *= (2 - 1 / reach) / reach;
    uint32_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto cell = static_cast<uint32_t>(std::clamp((p[axis] + 2) * 256, 0.0f, 1023.0f));
        for (uint32_t bit = 0; bit < 10; ++bit) code |= ((cell >> bit) & 1u) << (3 * bit + static_cast<uint32_t>(axis));
    }
    return code;
}

TEST(DefaultDensifierRules, SortingByPlaceChangesTheOrderAndNothingElse) {
    TrainSettings settings = settingsOf("default");
    const State state = makeState(900, 600, 3);
    const auto expected = reference::refine(state.gaussians, state.seen, rulesOf(settings), 600, kUnlimited);
    settings.mortonEvery = 1;
    Refined run(state, settings, 1800);
    run.refine(600);
    ASSERT_EQ(run.gaussians.count(), expected.size());
    std::vector<Offspring> sorted = expected;
    std::ranges::stable_sort(sorted, {}, [&](const Offspring& o) { return mortonCode(state.gaussians.means[o.parent]); });
    expectRefined(run, state, sorted);
}

double opacityOf(const Gaussians& g, size_t i) { return 1 / (1 + std::exp(-static_cast<double>(g.logitOpacities[i]))); }

std::vector<uint32_t> weightsOf(const Gaussians& g, double least) {
    std::vector<uint32_t> weights;
    for (size_t i = 0; i < g.count(); ++i)
        weights.push_back(opacityOf(g, i) > least ? static_cast<uint32_t>(std::lround(opacityOf(g, i) * 0x1p20)) : 0);
    return weights;
}

/// A source shares its place with its copies; every other gaussian is as it was.
void expectShared(const Gaussians& found, const Gaussians& before, size_t i, uint32_t copies, double least) {
    if (copies == 0) return expectCopies(found, i, before, i);
    const auto share = reference::shareOf(opacityOf(before, i), std::min(copies + 1, 51u), least);
    EXPECT_NEAR(opacityOf(found, i) / share.opacity, 1, 2e-4) << i << " drawn " << copies;
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(found.logScales[i][axis], before.logScales[i][axis] + std::log(share.scale), 2e-3) << i << " drawn " << copies;
    EXPECT_EQ(found.means[i], before.means[i]);
    EXPECT_EQ(found.rotations[i], before.rotations[i]);
}

std::vector<uint32_t> countsOf(const std::vector<uint32_t>& sources, size_t gaussians) {
    std::vector<uint32_t> counts(gaussians);
    for (const uint32_t s : sources) ++counts[s];
    return counts;
}

class McmcDensifier : public testing::TestWithParam<size_t> {};
TEST_P(McmcDensifier, MovesTheDeadToWhatTheReferenceDraws) {
    TrainSettings settings = settingsOf("mcmc");
    settings.growFactor = 1;
    const State state = makeState(GetParam(), 600, 4);
    const Gaussians& before = state.gaussians;
    std::vector<uint32_t> dead;
    for (uint32_t i = 0; i < before.count(); ++i)
        if (opacityOf(before, i) <= settings.pruneOpacity) dead.push_back(i);
    const auto sources =
        reference::drawSystematically(weightsOf(before, settings.pruneOpacity), static_cast<uint32_t>(dead.size()), settings.seed + 600, 3);
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
    const auto moments = run.moments("mean_moments");
    for (size_t i = 0; i < before.count(); ++i) EXPECT_EQ(moments[i], counts[i] > 0 ? 0.0f : momentOf(i)) << i;
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
    const auto moments = run.moments("sh_rest_moments");
    for (size_t j = 0; j < sources.size(); ++j) {
        expectCopies(run.gaussians, 4000 + j, run.gaussians, sources[j]);
        expectSameColours(run.gaussians, 4000 + j, before, sources[j]);
        EXPECT_EQ(moments[4000 + j], 0.0f);
    }
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
    EXPECT_EQ(full.gaussians.means, livingState(1000).gaussians.means);
    EXPECT_EQ(full.gaussians.logitOpacities, livingState(1000).gaussians.logitOpacities);
}

TEST(McmcDensifierGrowth, WhereAllAreDeadNothingHappens) {
    const TrainSettings settings = settingsOf("mcmc");
    State state = makeState(500, 700, 8);
    for (float& o : state.gaussians.logitOpacities) o = -9;
    Refined run(state, settings, 1000);
    run.refine(700);
    EXPECT_EQ(run.gaussians.count(), 500u);
    EXPECT_EQ(run.gaussians.means, state.gaussians.means);
}

TEST(McmcDensifierGrowth, SortingByPlaceMovesMomentsAlong) {
    TrainSettings settings = settingsOf("mcmc");
    settings.growFactor = 1;
    settings.mortonEvery = 1;
    const State state = livingState(600);
    Refined run(state, settings, 600);
    run.refine(600);
    std::vector<uint32_t> order(600);
    for (uint32_t i = 0; i < 600; ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](uint32_t i) { return mortonCode(state.gaussians.means[i]); });
    const auto moments = run.moments("rotation_moments");
    for (size_t i = 0; i < 600; ++i) {
        expectCopies(run.gaussians, i, state.gaussians, order[i]);
        EXPECT_EQ(moments[i], momentOf(order[i]));
    }
}

TEST(GaussianStore, GrowingKeepsEveryAttribute) {
    const State state = makeState(300, 600, 11);
    Refined run(state, settingsOf("fixed"), 300);
    run.store.resize(1024);
    run.refine(600);  // nothing is due
    ASSERT_EQ(run.gaussians.count(), 300u);
    EXPECT_EQ(run.gaussians.means, state.gaussians.means);
    EXPECT_EQ(run.gaussians.sh, state.gaussians.sh);
    const auto moments = run.moments("sh_rest_moments");
    for (size_t p = 0; p < 15; ++p)
        for (size_t i = 0; i < 300; ++i) EXPECT_EQ(moments[p * 300 + i], momentOf(i + 31 * p));
}

TEST(Densifiers, AreFoundByNameOrRefusedWithTheNames) {
    for (const DensifierRow& row : densifierTable()) EXPECT_EQ(densifierByName(row.name).name, row.name);
    try {
        densifierByName("mcm");
        FAIL();
    } catch (const InputError& problem) {
        EXPECT_STREQ(problem.what(), "strategy is 'mcm', expected one of default, mcmc, fixed");
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
