// A region that 3 % of the training views see, against a run in which 30 % see it.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <splatwright/render/renderer.h>
#include <splatwright/scene/synth/picture.h>
#include <splatwright/scene/synth/points.h>
#include <splatwright/scene/synth/region.h>
#include <splatwright/scene/synth/walk.h>
#include <splatwright/train/densify/budget_settings.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/evaluate/evaluate.h>
#include <splatwright/train/session/initialise.h>
#include <splatwright/train/step/trainer.h>
#include <splatwright/train/suite/statistics.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/recipes.h"

namespace splat {
namespace {

constexpr int kViews = 192, kFew = 3, kMany = 30;  // views; percent
// On software Vulkan there is no time for runs that converge, and in as many steps the run with 30 % would see the region ten times as often. All
// runs start from a model that shows the region, and the run with 30 % ends when it has seen the region as often: what differs is what happens
// while the region is not seen. Presets with resets, or whose regularisers take what is not seen, need more steps than their strategies.
constexpr uint32_t kStartSteps = 500, kSteps = 500, kSweepSteps = 1200;
constexpr int kWidth = 24, kHeight = 15;
constexpr uint64_t kSeeds[] = {1, 2, 3, 4, 5};  // of scenes; the first alone decides where each recipe has one run
constexpr double kExtent = 3;                   // of the scene: 1.1 times the cameras' greatest distance from their mean

/// The recipe with all settings in steps scaled alike, and as few Gaussians as the small pictures need.
TrainSettings inSteps(TrainSettings settings, uint32_t steps) {
    const double factor = static_cast<double>(steps) / settings.steps;
    for (const SettingField& field : settingFields(settings)) {
        if (field.about.unit != "steps") continue;
        auto& value = *std::get<uint32_t*>(field.value);
        if (value > 0) value = std::max(1u, static_cast<uint32_t>(std::lround(value * factor)));
    }
    settings.steps = steps;
    settings.maxSplats = 250;
    // Takes large Gaussians whether they are seen or not, and pictures of 24x15 pixels are made of large ones.
    settings.of<DefaultStrategySettings>().pruneScale3d = 0;
    return settings;
}

/// The strategy with settings that act on opacities and are off by default.
Recipe fadingOf(const DensifierRow& row) {
    Recipe recipe{.name = fmt::format("{} with fading", row.name), .settings = defaultsOf(row.name)};
    recipe.settings.opacityReg = 0.02;
    recipe.settings.of<BudgetSettings>().decayEvery = 7500;
    return recipe;
}

/// `budget` with the rule that prunes what views see without weight.
Recipe pruningByWeight() {
    Recipe recipe{.name = "budget with prune_weight", .settings = defaultsOf("budget")};
    recipe.settings.of<BudgetSettings>().pruneWeight = 0.1;
    return recipe;
}

/// Without those that scaling makes equal to others.
std::vector<Recipe> differentRecipes() {
    std::vector<Recipe> all = allRecipes(), different;
    for (const DensifierRow* row : sceneStrategies()) {
        if (defaultsOf(row->name).opacityReg == 0) all.push_back(fadingOf(*row));
    }
    all.push_back(pruningByWeight());
    std::set<std::string> seen;
    for (Recipe& recipe : all) {
        TrainSettings scaled = inSteps(recipe.settings, kSteps);
        if (seen.insert(settingsToJson(settingFields(scaled)).dump()).second) different.push_back(std::move(recipe));
    }
    return different;
}

/// Photographs of the scene for training and of its region for testing, of which `percent` of the first see the region.
struct Photographs {
    explicit Photographs(int percent, uint64_t seed) {
        synth::Scene scene = synth::buildPavilion(seed);
        scene.pointCount = 100;  // enough for small pictures
        scene.region->pointCount = 150;
        auto cameras = synth::sceneCameras(scene, kViews, kWidth, kHeight, seed);
        points = synth::surfacePoints(scene, cameras, seed);
        synth::addRegion(scene, percent, seed, cameras, points);
        const auto seeing = synth::regionViews(cameras.size(), percent);
        for (size_t i = 0; i < cameras.size(); ++i) {
            const bool tested = i % 8 == 0;
            if (tested && !std::ranges::binary_search(seeing, i)) continue;
            (tested ? ofRegion : train).push_back({std::to_string(i), cameras[i], synth::renderPicture(scene, cameras[i])});
        }
    }

    std::vector<Photograph> train, ofRegion;
    std::vector<Point> points;
};

Gaussians trained(const Gaussians& start, const Photographs& photographs, const TrainSettings& settings) {
    Trainer trainer(testDevice(), testSort(), settings, start, photographs.train, kExtent);
    trainer.run(settings.steps, [](const StepReport&) { return true; });
    return trainer.model().download(testDevice(), 3);
}

/// Mean PSNR of the test views of the region.
double psnrOfRegion(const Gaussians& gaussians, const Photographs& photographs, const glm::vec3& background) {
    GaussianModel model(testDevice(), static_cast<uint32_t>(gaussians.count()));
    model.upload(testDevice(), gaussians);
    Renderer renderer(testDevice(), testSort());
    return evaluate(renderer, {.gaussians = model, .shDegree = 3, .background = background}, photographs.ofRegion).psnr;
}

/// The scene seen by few and by many, and a model that shows its region.
struct Start {
    explicit Start(uint64_t seed) : few(kFew, seed), many(kMany, seed) {
        TrainSettings settings = defaultsOf("fixed");
        settings.steps = kStartSteps;
        settings.shDegree = 0;
        gaussians = trained(initialGaussians(settings, many.points), many, settings);
    }

    Photographs few, many;
    Gaussians gaussians;
};

const Start& startOf(uint64_t seed) {
    static std::map<uint64_t, Start> all;
    return all.try_emplace(seed, seed).first->second;
}

/// PSNR of the region, dB.
struct Kept {
    double few, many, before;
};

Kept kept(const TrainSettings& recipe, uint32_t steps, uint64_t seed) {
    const Start& start = startOf(seed);
    const auto psnrAfter = [&](const Photographs& photographs, uint32_t count) {
        const TrainSettings settings = inSteps(recipe, count);
        return psnrOfRegion(trained(start.gaussians, photographs, settings), photographs, settings.background);
    };
    return {psnrAfter(start.few, steps), psnrAfter(start.many, steps * kFew / kMany),
            psnrOfRegion(start.gaussians, start.few, glm::vec3(0))};
}

/// What the region may lose, dB. mcmc gains 0.14 (standard deviation 0.11, five seeds), and loses 0.79 (0.18) if its regularisers act in all steps
/// on what a view does not see, so that 0.5 would not always tell.
double mayLose(const TrainSettings& settings) { return settings.strategy == "mcmc" ? 0.25 : 0.5; }

/// Presets only set what strategies have, and `fixed` refines nothing: those are left to the sweep.
bool isForSweep(const Recipe& recipe) { return recipe.name.starts_with("preset") || recipe.name.starts_with("fixed"); }

class Region : public testing::TestWithParam<Recipe> {};

/// The start is the second bound, because a recipe may also spoil both runs. Ten seconds each, and as many for the start: in fewer steps mcmc
/// loses nearly what it may, and resets of opacities are not made up for.
TEST_P(Region, ThatFewViewsSeeStays) {
    const auto [few, many, before] = kept(GetParam().settings, isForSweep(GetParam()) ? kSweepSteps : kSteps, kSeeds[0]);
    const double loss = mayLose(GetParam().settings);
    EXPECT_GE(few, many - loss) << "with " << kMany << " %";
    EXPECT_GE(few, before - loss) << "at the start";
    RecordProperty("psnr", fmt::format("{:.2f} with {} %, {:.2f} with {} %, {:.2f} at the start", few, kFew, many, kMany, before));
}

class RegionOfManySeeds : public testing::TestWithParam<Recipe> {};

TEST_P(RegionOfManySeeds, StaysInTheMean) {
    std::vector<double> differences, changes;
    for (const uint64_t seed : kSeeds) {
        const auto [few, many, before] = kept(GetParam().settings, kSweepSteps, seed);
        differences.push_back(few - many);
        changes.push_back(few - before);
    }
    const Spread difference = spreadOf(differences), change = spreadOf(changes);
    EXPECT_GE(difference.mean, -0.5) << "with " << kMany << " %";
    EXPECT_GE(change.mean, -0.5) << "at the start";
    RecordProperty("change", fmt::format("{:+.2f} ({:.2f}) to {} %, {:+.2f} ({:.2f}) to the start", difference.mean, difference.deviation,
                                         kMany, change.mean, change.deviation));
}

std::vector<Recipe> recipesOf(bool sweep) {
    std::vector<Recipe> recipes = differentRecipes();
    std::erase_if(recipes, [&](const Recipe& recipe) { return isForSweep(recipe) != sweep; });
    return recipes;
}
INSTANTIATE_TEST_SUITE_P(Recipes, Region, testing::ValuesIn(recipesOf(false)), recipeTestName);
INSTANTIATE_TEST_SUITE_P(SweepOfRecipes, Region, testing::ValuesIn(recipesOf(true)), recipeTestName);
INSTANTIATE_TEST_SUITE_P(SweepOfSeeds, RegionOfManySeeds, testing::ValuesIn(differentRecipes()), recipeTestName);

}  // namespace
}  // namespace splat
