#include "commands/bench/bench_scene.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <splatwright/core/error.h>
#include <splatwright/core/temporary_folder.h>
#include <splatwright/scene/datasets/frame.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/synth/synth.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/evaluate/evaluate.h>
#include <splatwright/train/session/training_data.h>
#include <splatwright/train/step/trainer.h>
#include "commands/interrupt.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kStrategy = "budget";

/// A procedural scene, and how long it is trained.
struct Recipe {
    int views, width, height;
    uint32_t splats, steps;
};
constexpr Recipe kSmall{.views = 8, .width = 80, .height = 60, .splats = 10'000, .steps = 20};
constexpr Recipe kRealistic{.views = 48, .width = 1000, .height = 750, .splats = 300'000, .steps = 2000};

TrainingData synthesise(Context& context, const Recipe& recipe, const TrainSettings& settings, const Interrupt& interrupt) {
    const TemporaryFolder folder("splatwright-bench");
    const fs::path data = folder.path() / "data";
    Progress progress(std::cerr, context.progressStyle(), "views", static_cast<uint64_t>(recipe.views));
    writeSynthDataset(data, {.views = recipe.views, .width = recipe.width, .height = recipe.height}, [&](size_t done, size_t) {
        interrupt.check();
        progress.update(done);
    });
    progress.finish();
    return loadTrainingData(loadDataset(data), settings);
}

TrainSettings settingsOf(const Recipe& recipe) {
    TrainSettings settings = defaultsOf(kStrategy);
    settings.steps = recipe.steps;
    settings.maxSplats = recipe.splats;
    settings.densifyFrom = recipe.steps / 10;
    settings.densifyUntil = recipe.steps * 4 / 5;
    settings.densifyInterval = std::max(recipe.steps / 20, 1u);
    settings.shDegreeInterval = recipe.steps / 5;
    settings.testEvery = 0;
    return settings;
}

/// Trains to the end of the settings.
Gaussians trained(Context& context, const TrainingData& data, const TrainSettings& settings, const Interrupt& interrupt) {
    gpu::Device& device = context.device();
    Trainer trainer(device, context.sort(), settings, startOf(data, settings), data.train, kFrameExtent);
    Progress progress(std::cerr, context.progressStyle(), "training", settings.steps);
    trainer.run(settings.steps, [&](const StepReport& report) {
        progress.update(report.step);
        return !interrupt.requested();
    });
    interrupt.check();
    progress.finish();
    return trainer.model().download(device, trainer.shDegree());
}

}  // namespace

BenchScene readBenchScene(Context& context, const BenchFiles& files) {
    Gaussians gaussians = readSplats(files.splats);
    const Dataset dataset = loadDataset(files.data, files.reading);
    tellChoices(dataset, files.testEvery);
    const auto all = viewsOfSplit(dataset, Split::train, files.testEvery);
    if (all.empty()) throw InputError("{}: found no training views, expected at least 1", files.data);
    std::vector<size_t> views;
    for (const size_t i : spreadEvenly(all.size(), files.views)) views.push_back(all[i]);
    Progress progress(std::cerr, context.progressStyle(), "photographs", views.size());
    auto photographs = loadPhotographs(dataset, views, files.images, [&](size_t done, size_t) { progress.update(done); });
    progress.finish();
    const TrainingFrame frame = trainingFrame(dataset.views);
    for (Photograph& photograph : photographs) photograph.camera = toFrame(frame, photograph.camera);
    return {toFrame(frame, std::move(gaussians)), std::move(photographs)};
}

BenchScene makeBenchScene(Context& context) {
    const Recipe& recipe = context.device().isSoftware() ? kSmall : kRealistic;
    const TrainSettings settings = settingsOf(recipe);
    const Interrupt interrupt;
    TrainingData data = synthesise(context, recipe, settings, interrupt);
    BenchScene scene{.gaussians = trained(context, data, settings, interrupt), .photographs = {}};
    for (const size_t i : spreadEvenly(data.train.size(), kBenchViews)) scene.photographs.push_back(std::move(data.train[i]));
    return scene;
}

}  // namespace splat::app
