// The strategy `budget` against a double reference: the count's schedule, who divides, the shape of children, and the decay of opacities.
#include <splatwright/train/densify/budget_settings.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include <splatwright/render/renderer.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/evaluate/evaluate.h>
#include "reference/update.h"
#include "support/test_device.h"
#include "train/refined.h"
#include "train/small_runs.h"

namespace splat {
namespace {

using reference::Fate;
using reference::Offspring;

constexpr uint32_t kStep = 700;

TrainSettings budgetSettings(uint32_t target) {
    TrainSettings settings = settingsOf("budget");
    settings.maxSplats = target;
    settings.densifyFrom = 500;
    settings.densifyUntil = 1200;
    settings.densifyInterval = 100;
    return settings;
}

reference::BudgetRules rulesOf(const TrainSettings& s) {
    const auto& own = s.of<BudgetSettings>();
    return {.pruneOpacity = s.pruneOpacity,
            .pruneWeight = own.pruneWeight,
            .cloneScale = own.cloneScale * kExtent,
            .score = own.score,
            .target = s.maxSplats,
            .from = s.densifyFrom,
            .until = s.densifyUntil,
            .interval = s.densifyInterval,
            .power = own.growPower};
}

void expectRefined(Refined& run, const State& state, const std::vector<Offspring>& expected) {
    ASSERT_EQ(run.gaussians.count(), expected.size());
    std::map<uint32_t, int> children;
    for (size_t i = 0; i < expected.size(); ++i) {
        const auto [parent, fate] = expected[i];
        expectSameColours(run.gaussians, i, state.gaussians, parent);
        if (fate == Fate::part)
            expectLongAxisChild(run.gaussians, i, state.gaussians, parent, children[parent]++ == 0 ? 1 : -1);
        else
            expectCopies(run.gaussians, i, state.gaussians, parent);
    }
    expectMoments(run, originsOf(expected));
}

std::vector<Offspring> expectedOf(const State& state, const TrainSettings& settings) {
    return reference::refineToBudget(state.gaussians, state.seen, rulesOf(settings), state.step, TrainSettings{}.seed + state.step);
}

class Budget : public testing::TestWithParam<uint32_t> {};

TEST_P(Budget, DividesWhomTheReferenceDraws) {
    const State state = makeState(GetParam(), kStep);
    for (const std::string_view score : kBudgetScores) {
        SCOPED_TRACE(score);
        TrainSettings settings = budgetSettings(3 * GetParam());
        settings.of<BudgetSettings>().score = score;
        settings.of<BudgetSettings>().cloneScale = 0.01;
        const auto expected = expectedOf(state, settings);
        Refined run(state, settings, 3 * GetParam(), settings.maxSplats);
        run.refine(kStep);
        expectRefined(run, state, expected);
        const auto statistics = testDevice().download<float>(run.store.densifyStatistics, 3 * expected.size());
        EXPECT_TRUE(std::ranges::all_of(statistics, [](float value) { return value == 0; }));
        ASSERT_EQ(run.store.hasBlendStatistics, !score.starts_with("gradient"));
        const auto blended =
            testDevice().download<float>(run.store.blendStatistics, run.store.hasBlendStatistics ? 4 * expected.size() : 4);
        EXPECT_TRUE(std::ranges::all_of(blended, [](float value) { return value == 0; }));
    }
}
INSTANTIATE_TEST_SUITE_P(Sizes, Budget, testing::Values(1, 255, 256, 257, 3000), testing::PrintToStringParamName());

/// State::seen has weights of up to 50, zero for a tenth, and no views for one in sixty.
TEST_P(Budget, PrunesWhatViewsSeeWithoutWeight) {
    const State state = makeState(GetParam(), kStep, 4);
    for (const double weight : {1e-9, 10.0, 1e6}) {
        TrainSettings settings = budgetSettings(3 * GetParam());
        settings.of<BudgetSettings>().pruneWeight = weight;
        settings.of<BudgetSettings>().cloneScale = 0.01;
        const auto expected = expectedOf(state, settings);
        Refined run(state, settings, 3 * GetParam(), settings.maxSplats);
        ASSERT_TRUE(run.store.hasBlendStatistics);
        run.refine(kStep);
        expectRefined(run, state, expected);
        EXPECT_TRUE(GetParam() < 3000 || expected.size() > 20) << "what no view saw stays";
    }
}

TEST(BudgetSplits, LieOnBothSidesAfterASortByPlaceToo) {
    const State state = makeState(900, kStep, 3);
    TrainSettings settings = budgetSettings(2700);
    settings.mortonEvery = 1;
    settings.densifyFrom = kStep - settings.densifyInterval;  // the first refinement sorts
    std::vector<Offspring> expected = expectedOf(state, settings);
    EXPECT_GT(std::ranges::count(expected, Fate::part, &Offspring::fate), 100);
    std::ranges::stable_sort(expected, {}, [&](const Offspring& o) { return mortonCode(state.gaussians.means[o.parent]); });
    Refined run(state, settings, 2700, settings.maxSplats);
    run.refine(kStep);
    expectRefined(run, state, expected);
}

TEST(BudgetSchedule, ReachesTheTargetExactlyWhateverIsPruned) {
    for (const double power : {0.5, 1.0, 2.0}) {
        TrainSettings settings = budgetSettings(4000);
        settings.of<BudgetSettings>().growPower = power;
        uint32_t count = 600;
        for (uint32_t step = 600; step < 1200; step += 100) {
            const State state = makeState(count, step, step);
            const auto expected = expectedOf(state, settings);
            const auto faint = [&](float logit) { return 1 / (1 + std::exp(-logit)) < 0.005f; };
            EXPECT_GT(std::ranges::count_if(state.gaussians.logitOpacities, faint), 0) << "some are pruned";
            Refined run(state, settings, 4000, settings.maxSplats);
            run.refine(step);
            ASSERT_EQ(run.gaussians.count(), expected.size()) << power << ", step " << step;
            count = static_cast<uint32_t>(expected.size());
        }
        EXPECT_EQ(count, 4000u) << power;
    }
}

TEST(BudgetSchedule, AModelAboveItsTargetOnlyLoses) {
    const State state = makeState(1000, kStep);
    const TrainSettings settings = budgetSettings(500);
    const auto expected = expectedOf(state, settings);
    ASSERT_LT(expected.size(), 1000u);
    ASSERT_GT(expected.size(), 500u);
    Refined run(state, settings, 1000, settings.maxSplats);
    run.refine(kStep);
    expectRefined(run, state, expected);
}

TEST(BudgetDraw, IsInProportionToTheScoreAndNeverOfNone) {
    State state = makeState(30'000, 1100, 5);  // the last refinement
    for (size_t i = 0; i < state.seen.size(); ++i) {
        state.gaussians.logitOpacities[i] = 1;
        state.seen[i] = {.gradient = static_cast<double>(i % 3), .views = 1, .radius = 0, .blended = {}};
    }
    Refined few(state, budgetSettings(30'300), 30'300, 30'300);
    few.refine(1100);
    ASSERT_EQ(few.gaussians.count(), 30'300u);
    // So few of so many that scores 2 and 1 divide nearly as 2 to 1.
    std::map<glm::vec3, size_t, decltype([](const glm::vec3& a, const glm::vec3& b) { return a.x < b.x; })> parents;
    for (size_t i = 0; i < 30'000; ++i) parents[state.gaussians.sh[16 * i]] = i;
    std::array<int, 3> children{};
    for (size_t i = 0; i < few.gaussians.count(); ++i) {
        const size_t parent = parents.at(few.gaussians.sh[16 * i]);
        if (few.gaussians.logitOpacities[i] != 1) ++children[parent % 3];
    }
    EXPECT_EQ(children[0], 0);
    EXPECT_EQ(children[1] + children[2], 600);
    EXPECT_NEAR(children[2] / 2.0, 200, 4 * std::sqrt(300 * 2.0 / 9));  // four standard deviations
    Refined all(state, budgetSettings(60'000), 60'000, 60'000);
    all.refine(1100);
    EXPECT_EQ(all.gaussians.count(), 50'000u) << "once each, and none without a score";
}

TEST(BudgetDecay, MultipliesOpacitiesDownToTheLeastAndForgetsTheirMoments) {
    TrainSettings settings = budgetSettings(700);
    settings.densifyInterval = 10'000;
    settings.of<BudgetSettings>().decayEvery = 350;
    for (const auto& [factor, least] : {std::pair(0.5, 0.01), std::pair(0.0, 0.05)}) {
        settings.of<BudgetSettings>().decayFactor = factor;
        settings.of<BudgetSettings>().decayLeast = least;
        const State state = makeState(700, kStep, 2);
        Refined run(state, settings, 700, 700);
        run.refine(kStep);
        for (size_t i = 0; i < 700; ++i) {
            const double before = 1 / (1 + std::exp(-static_cast<double>(state.gaussians.logitOpacities[i])));
            const double after = 1 / (1 + std::exp(-static_cast<double>(run.gaussians.logitOpacities[i])));
            EXPECT_NEAR(after, std::min(before, std::max(factor * before, least)), 1e-6) << i;
        }
        Origins unmoved;
        for (uint32_t i = 0; i < 700; ++i) unmoved.emplace_back(i);
        expectMoments(run, unmoved, "logit_opacity_moments");
    }
}

TEST(BudgetScores, GatherWhatTheyNeed) {
    const std::map<std::string_view, std::tuple<BlendSumsKind, PixelValue, Statistics>> needs{
        {"gradient", {BlendSumsKind::none, PixelValue::none, Statistics::absoluteGradient}},
        {"gradient-sum", {BlendSumsKind::none, PixelValue::none, Statistics::absoluteGradient}},
        {"error", {BlendSumsKind::values, PixelValue::error, Statistics::gradient}},
        {"error-mean", {BlendSumsKind::values, PixelValue::error, Statistics::gradient}},
        {"error-pixels", {BlendSumsKind::values, PixelValue::highError, Statistics::gradient}},
        {"edge", {BlendSumsKind::values, PixelValue::edge, Statistics::absoluteGradient}},
        {"variance", {BlendSumsKind::errors, PixelValue::none, Statistics::gradient}},
    };
    for (const std::string_view score : kBudgetScores) {
        TrainSettings settings = defaultsOf("budget");
        settings.of<BudgetSettings>().score = score;
        const DensifierRow& row = densifierByName("budget");
        const BlendStatistics found = row.blend(settings);
        EXPECT_EQ(std::tuple(found.sums, found.pixelValue, row.statistics(settings)), needs.at(score)) << score;
        settings.of<BudgetSettings>().pruneWeight = 1;
        EXPECT_TRUE(row.blend(settings).wanted()) << score;
    }
}

/// PSNR of the training images after 120 steps, which grow 16 splats to 100.
double psnrWith(std::string_view score, const std::vector<Photograph>& photographs, const Gaussians& start) {
    TrainSettings settings = defaultsOf("budget");
    settings.of<BudgetSettings>().score = score;
    settings.steps = 120;
    settings.densifyFrom = 20;
    settings.densifyUntil = 91;
    settings.densifyInterval = 10;
    settings.maxSplats = 100;
    Trainer trainer(testDevice(), testSort(), settings, start, photographs, kExtent);
    trainer.run(settings.steps, [](const StepReport&) { return true; });
    EXPECT_EQ(trainer.model().download(testDevice(), 0).count(), 100u) << score;
    Renderer renderer(testDevice(), testSort());
    return evaluate(renderer, {.gaussians = trainer.model(), .shDegree = 3, .background = settings.background}, photographs).psnr;
}

TEST(BudgetScores, EachTrains) {
    const auto photographs = photographsOf(reference::makeMixedScene(80, 32, 32, 8), 4);
    const Gaussians start = blurred(reference::makeMixedScene(16, 32, 32, 8).gaussians);
    const double usual = psnrWith("gradient-sum", photographs, start);
    for (const std::string_view score : kBudgetScores) {
        const double psnr = psnrWith(score, photographs, start);
        EXPECT_GT(psnr, usual - 1) << score;
        RecordProperty(std::string(score), std::to_string(psnr));
    }
}

TEST(BudgetSchedule, WithoutCapacityNothingChangesAndTheNeedIsTold) {
    const State state = makeState(1500, kStep, 9);
    const TrainSettings settings = budgetSettings(9000);
    const auto wanted = expectedOf(state, settings);
    Refined run(state, settings, 1500, settings.maxSplats);
    ASSERT_GT(wanted.size(), run.store.model.capacity);
    run.refine(kStep);
    EXPECT_EQ(run.state().halted, 1u);
    EXPECT_EQ(run.state().gaussiansNeeded, wanted.size());
    for (size_t i = 0; i < 1500; ++i) expectCopies(run.gaussians, i, state.gaussians, i);
}

}  // namespace
}  // namespace splat
