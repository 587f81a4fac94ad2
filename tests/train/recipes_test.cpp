// What strategies and presets do to splats that no training view sees.
#include <gtest/gtest.h>

#include <splatwright/core/settings.h>
#include <splatwright/train/densify/budget_settings.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/recipes.h"
#include "train/small_runs.h"

namespace splat {
namespace {

TEST(Recipes, OnlyMcmcHasNoiseWhichActsOnUnseenSplats) {
    size_t presets = 0, ofMcmc = 0;
    for (Recipe& recipe : allRecipes()) {
        if (recipe.name.starts_with("preset")) ++presets;
        const bool mcmc = recipe.settings.strategy == "mcmc";
        if (mcmc) ++ofMcmc;
        TrainSettings own = mcmc ? defaultsOf("mcmc") : defaultsOf("fixed");
        const auto noiseOf = [](TrainSettings& settings) { return settingText(findSetting(settingFields(settings), "noise_lr", "test")); };
        EXPECT_EQ(noiseOf(recipe.settings), noiseOf(own)) << recipe.name;
        EXPECT_EQ(noiseOf(recipe.settings) == "0", !mcmc) << recipe.name;
    }
    EXPECT_GE(presets, 4u);
    EXPECT_GE(ofMcmc, 3u);
}

/// A small scene with one more splat, the last, behind all its cameras.
struct UnseenScene {
    UnseenScene() {
        const glm::dvec3 forward = glm::transpose(scene.camera.rotation) * glm::dvec3(0, 0, 1);
        const size_t last = start.count();
        start.resize(last + 1, start.shDegree);
        start.means[last] = glm::vec3(scene.camera.position() - 3.0 * forward);
        start.rotations[last] = glm::vec4(1, 0.5f, 0.25f, 0);
        start.logScales[last] = glm::vec3(-3, -4, -5);  // below prune_scale3d, which holds for splats that no view sees too
        start.logitOpacities[last] = 1.5f;
        for (size_t k = 0; k < shCoefficients(start.shDegree); ++k) start.sh[last * shCoefficients(start.shDegree) + k] = glm::vec3(0.25f);
    }

    /// Where the splat is in a trained model, by its place, which nothing may have moved; none: it is gone.
    std::optional<size_t> find(const Gaussians& gaussians) const {
        const auto found = std::ranges::find(gaussians.means, start.means.back());
        return found == gaussians.means.end() ? std::nullopt : std::optional<size_t>(found - gaussians.means.begin());
    }

    reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    std::vector<Photograph> photographs = photographsOf(scene, 3);
    Gaussians start = blurred(scene.gaussians);
};

/// The recipe with a schedule for 60 steps: refinements every 10, resets (if it has any) every 20.
TrainSettings inSixtySteps(TrainSettings settings) {
    settings.steps = 60;
    settings.densifyFrom = 0;
    settings.densifyUntil = 60;
    settings.densifyInterval = 10;
    auto& own = settings.of<DefaultStrategySettings>();
    if (own.resetEvery > 0) own.resetEvery = 20;
    own.pruneScaleFrom = 20;
    settings.mortonEvery = 2;
    settings.shDegreeInterval = 5;
    own.growGrad2d = 1e-5;
    settings.maxSplats = 120;
    return settings;
}

/// All of them, and `budget` with the rule that prunes by weight.
std::vector<Recipe> recipesThatPrune() {
    std::vector<Recipe> all = allRecipes();
    all.push_back({"budget with prune_weight", defaultsOf("budget")});
    all.back().settings.of<BudgetSettings>().pruneWeight = 0.1;
    return all;
}

TEST(Recipes, ASplatThatNoViewSeesKeepsEverythingButWhatAResetTakes) {
    const UnseenScene s;
    size_t recipes = 0, withResets = 0;
    for (const Recipe& recipe : recipesThatPrune()) {
        if (recipe.settings.strategy == "mcmc" || recipe.settings.strategy == "fixed") continue;
        const bool resets = recipe.settings.strategy == "default" && recipe.settings.of<DefaultStrategySettings>().resetEvery > 0;
        ++recipes;
        withResets += resets ? 1 : 0;
        const TrainSettings settings = inSixtySteps(recipe.settings);
        const auto reset = static_cast<float>(
            std::log(settings.of<DefaultStrategySettings>().resetOpacity / (1 - settings.of<DefaultStrategySettings>().resetOpacity)));
        Trainer trainer(testDevice(), testSort(), settings, s.start, s.photographs, 1.1);
        for (const uint32_t step : {19u, 20u, 39u, 60u}) {
            trainer.run(step, [](const StepReport&) { return true; });
            const Gaussians now = trainer.model().download(testDevice(), 3);
            const auto found = s.find(now);
            ASSERT_TRUE(found) << recipe.name << ", step " << step;
            const size_t i = *found, last = s.start.count() - 1;
            EXPECT_EQ(now.logitOpacities[i], step < 20 || !resets ? s.start.logitOpacities[last] : reset)
                << recipe.name << ", step " << step;
            EXPECT_EQ(now.rotations[i], s.start.rotations[last]) << recipe.name << ", step " << step;
            EXPECT_EQ(now.logScales[i], s.start.logScales[last]) << recipe.name << ", step " << step;
            for (size_t k = 0; k < 16; ++k) EXPECT_EQ(now.sh[16 * i + k], s.start.sh[16 * last + k]) << recipe.name << ", step " << step;
        }
        EXPECT_GT(trainer.model().download(testDevice(), 0).count(), s.start.count()) << recipe.name << ": it refines";
    }
    EXPECT_GE(recipes, 6u);  // two strategies, three presets and prune_weight
    EXPECT_GE(withResets, 1u);
}

/// Adam would make full steps even of a regulariser's tiny gradient, and soon after a reset the splat would be pruned.
TEST(Recipes, RegularisersLeaveWhatNoViewSees) {
    const UnseenScene s;
    TrainSettings settings = defaultsOf("default");
    settings.of<DefaultStrategySettings>().resetEvery = 20;
    settings.pruneOpacity = 0.005;
    settings = inSixtySteps(settings);
    settings.opacityReg = settings.scaleReg = 0.001;
    Trainer trainer(testDevice(), testSort(), settings, s.start, s.photographs, 1.1);
    trainer.run(60, [](const StepReport&) { return true; });
    const Gaussians now = trainer.model().download(testDevice(), 3);
    const auto found = s.find(now);
    ASSERT_TRUE(found);
    EXPECT_EQ(now.logScales[*found], s.start.logScales.back());
    for (const DensifierRow* row : densifierTable()) EXPECT_EQ(defaultsOf(row->name).fadeSteps > 0, row->name == "mcmc") << row->name;
}

}  // namespace
}  // namespace splat
