// Runs that outgrow their buffers on the way against runs whose buffers were large enough from the first step: to the bit, in everything that
// a checkpoint holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <splatwright/train/densify/budget_settings.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/mcmc_settings.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/recipes.h"
#include "train/small_runs.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

constexpr uint32_t kSteps = 21;

bool goOn(const StepReport&) { return true; }

/// Refines every four steps, sorts every second time, resets opacities in between.
TrainSettings growingSettings(std::string_view strategy) {
    TrainSettings settings = defaultsOf(strategy);
    settings.steps = kSteps;
    settings.accumulate = "fixed-point";
    settings.shDegreeInterval = 5;
    settings.densifyFrom = 1;
    settings.densifyUntil = kSteps;
    settings.densifyInterval = 4;
    settings.mortonEvery = 2;
    settings.of<DefaultStrategySettings>().resetEvery = 10;
    settings.pruneOpacity = 0.005;
    settings.of<DefaultStrategySettings>().growGrad2d = 1e-5;
    settings.of<McmcSettings>().growFactor = 1.3;
    settings.maxSplats = 800;
    return settings;
}

/// As many as fit into the first capacity.
constexpr size_t kStart = 250;
static_assert(kStart <= 256);

struct GrowingScene {
    explicit GrowingScene(size_t count = kStart) : scene(reference::makeMixedScene(count, 36, 20, 8)) {
        for (glm::vec3& s : start.logScales) s -= 1;  // in fewer tiles, for the time's sake
    }

    reference::Scene scene;
    std::vector<Photograph> photographs = photographsOf(scene, 4);
    Gaussians start = blurred(scene.gaussians);

    Trainer trainer(const TrainSettings& settings, const Gaussians& from) const {
        return {testDevice(), testSort(), settings, from, photographs, 1.1};
    }
    /// With buffers for a model that starts with four times as many, and no max_splats.
    Trainer roomy(TrainSettings settings) const {
        settings.maxSplats = 0;
        Gaussians many = reference::makeMixedScene(4 * kStart, 36, 20, 9).gaussians;
        for (glm::vec3& s : many.logScales) s = glm::vec3(-9);
        return trainer(settings, many);
    }
};

void expectSameState(Trainer& found, const Checkpoint& expected) {
    const Checkpoint checkpoint = found.checkpoint();
    EXPECT_EQ(checkpoint.header, expected.header);
    expectSameBytes(checkpoint.sections, expected.sections);
}

/// Step, loss, Gaussians, visible ones and instances of each step, as it was reported.
using Reports = std::vector<std::tuple<uint32_t, double, uint32_t, uint32_t, uint32_t>>;
Reports reportsOf(Trainer& trainer) {
    Reports reports;
    trainer.run(kSteps, [&](const StepReport& r) {
        reports.emplace_back(r.step, r.loss, r.gaussians, r.visible, r.instances);
        return true;
    });
    return reports;
}

class Growing : public testing::TestWithParam<Recipe> {
protected:
    /// What a run from the scene's start that nothing interrupts ends with: the same bits every time, so each recipe has one.
    static const Checkpoint& uninterrupted(const Recipe& recipe) {
        static std::map<std::string, Checkpoint> ends;
        if (const auto known = ends.find(recipe.name); known != ends.end()) return known->second;
        const GrowingScene scene;
        Trainer trainer = scene.trainer(recipe.settings, scene.start);
        trainer.run(kSteps, goOn);
        return ends.emplace(recipe.name, trainer.checkpoint()).first->second;
    }
    /// Runs to the end twice from the same state, with scarce buffers and with large ones.
    void expectSameAsRoomy(const GrowingScene& scene, const TrainSettings& settings, bool overflows, bool modelGrows) {
        Trainer scarce = scene.trainer(settings, scene.start), roomy = scene.roomy(settings);
        const uint32_t capacity = scarce.model().capacity;
        roomy.restore(scarce.checkpoint());
        roomy.change(settings);
        const auto reports = reportsOf(scarce), expected = reportsOf(roomy);
        EXPECT_EQ(reports.size(), kSteps);
        EXPECT_TRUE(reports == expected) << "what the steps told";
        EXPECT_EQ(scarce.costs().repeatedSteps > 0, overflows);
        EXPECT_EQ(scarce.model().capacity > capacity, modelGrows);
        EXPECT_EQ(roomy.costs().repeatedSteps, 0u);
        expectSameState(scarce, roomy.checkpoint());
    }
};

TEST_P(Growing, AModelThatOutgrowsItsBuffersChangesNoBit) {
    const TrainSettings settings = GetParam().settings;
    const bool grows = !densifierByName(settings.strategy).events({testDevice(), testSort(), settings, 1.1}).empty();
    expectSameAsRoomy(GrowingScene(), settings, grows, grows);
}

TEST_P(Growing, StepsThatOutgrowTheirListsChangeNoBit) {
    constexpr uint32_t kFew = 120;
    GrowingScene scene(kFew);
    for (glm::vec3& s : scene.start.logScales) s = glm::vec3(0.5f);  // each in every tile
    for (float& o : scene.start.logitOpacities) o = -3;
    TrainSettings settings = GetParam().settings;
    settings.maxSplats = kFew;
    expectSameAsRoomy(scene, settings, true, false);
}

// What the buffers held before, behind the Gaussians too, plays no part.
TEST_P(Growing, ATrainerThatIsTakenBackEndsInTheSameBits) {
    const GrowingScene scene;
    const TrainSettings settings = GetParam().settings;
    Trainer again = scene.trainer(settings, scene.start);
    const Checkpoint start = again.checkpoint();
    again.run(kSteps, goOn);
    again.restore(start);
    again.run(kSteps, goOn);
    expectSameState(again, uninterrupted(GetParam()));
}

TEST_P(Growing, AStopAfterAnyStepChangesNoBit) {
    const GrowingScene scene;
    Trainer stopping = scene.trainer(GetParam().settings, scene.start);
    for (uint32_t step = 1; step <= kSteps; ++step) stopping.run(step, goOn);
    expectSameState(stopping, uninterrupted(GetParam()));
}

// In the middle of a window of statistics.
TEST_P(Growing, ATrainerThatGoesOnFromACheckpointChangesNoBit) {
    const GrowingScene scene;
    Trainer whole = scene.trainer(GetParam().settings, scene.start), next = scene.trainer(GetParam().settings, scene.start);
    whole.run(10, goOn);
    next.restore(whole.checkpoint());
    next.run(kSteps, goOn);
    expectSameState(next, uninterrupted(GetParam()));
}

// mcmc grows by its factor at every refinement; a step tells how many there were before those that follow it.
TEST(GrowingEvents, RefinementsFollowTheStepsAfterWhichTheyAreDue) {
    TrainSettings settings = growingSettings("mcmc");
    settings.densifyFrom = 5;
    settings.densifyInterval = 5;
    settings.densifyUntil = 21;
    const GrowingScene scene;
    Trainer trainer = scene.trainer(settings, scene.start);
    std::vector<uint32_t> found, expected;
    for (const auto& [step, loss, gaussians, visible, instances] : reportsOf(trainer)) found.push_back(gaussians);
    uint32_t count = kStart;
    for (uint32_t step = 1; step <= kSteps; ++step) {
        expected.push_back(count);
        if (step == 10 || step == 15 || step == 20) count += count * 3 / 10;
    }
    EXPECT_EQ(found, expected);
}

// Refinement and reset are both due after step 10.
TEST(GrowingEvents, AllThatIsDueAfterAStepIsDone) {
    TrainSettings settings = growingSettings("default");
    settings.densifyInterval = 5;
    settings.of<DefaultStrategySettings>().resetEvery = 10;
    settings.pruneOpacity = 0.005;
    const GrowingScene scene;
    Trainer trainer = scene.trainer(settings, scene.start);
    std::vector<float> most;
    for (const uint32_t step : {9u, 10u}) {
        trainer.run(step, goOn);
        most.push_back(std::ranges::max(trainer.model().download(testDevice(), 0).logitOpacities));
    }
    const double reset =
        std::log(settings.of<DefaultStrategySettings>().resetOpacity / (1 - settings.of<DefaultStrategySettings>().resetOpacity));
    EXPECT_GT(most[0], reset + 1);
    EXPECT_NEAR(most[1], reset, 1e-6);
    EXPECT_GT(trainer.model().download(testDevice(), 0).count(), kStart);
}

/// `budget` with two of its scores, or with the others.
std::vector<Recipe> scored(bool others) {
    // One of errors that the backward pass sums, and one of a value of each pixel: what other scores take is among their buffers.
    const auto isFirst = [](std::string_view score) { return score == "error" || score == "edge"; };
    std::vector<Recipe> recipes;
    for (const std::string_view score : kBudgetScores) {
        if (isFirst(score) == others) continue;
        recipes.push_back({fmt::format("budget {}", score), growingSettings("budget")});
        recipes.back().settings.of<BudgetSettings>().score = score;
    }
    return recipes;
}

std::vector<Recipe> growingRecipes() {
    std::vector<Recipe> recipes = scored(false);
    for (const DensifierRow* row : sceneStrategies()) recipes.push_back({std::string(row->name), growingSettings(row->name)});
    return recipes;
}
INSTANTIATE_TEST_SUITE_P(Strategies, Growing, testing::ValuesIn(growingRecipes()), recipeTestName);
INSTANTIATE_TEST_SUITE_P(SweepOfScores, Growing, testing::ValuesIn(scored(true)), recipeTestName);

}  // namespace
}  // namespace splat
