#include "commands/bench/bench_scene.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/frame.h>
#include <splatwright/scene/synth/synth.h>
#include <splatwright/train/evaluate/evaluate.h>
#include <splatwright/train/session/training_data.h>
#include <splatwright/train/step/trainer.h>
#include "commands/interrupt.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

constexpr int kTestEvery = 8;  // as `train` by default
constexpr const char* kStrategy = "budget";

/// A procedural scene, and how long it is trained.
struct Recipe {
    int views, width, height;
    uint32_t splats, steps;
};
constexpr Recipe kSmall{.views = 16, .width = 160, .height = 120, .splats = 10'000, .steps = 60};
constexpr Recipe kRealistic{.views = 48, .width = 1000, .height = 750, .splats = 300'000, .steps = 2000};

/// A folder that is removed in the end.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::error_code problem;
        const fs::path parent = fs::temp_directory_path(problem);
        if (problem) throw Error("the folder for temporary files (TMPDIR) cannot be used: {}", problem.message());
        std::string name = (parent / "splatwright-bench-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw Error("{}: cannot be created: {}", printable(name), std::strerror(errno));
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

TrainingData synthesise(Context& context, const Recipe& recipe, const TrainSettings& settings, const Interrupt& interrupt) {
    const TemporaryFolder folder;
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

std::vector<Photograph> some(std::vector<Photograph> all) {
    std::vector<Photograph> chosen;
    for (const size_t i : spreadEvenly(all.size(), kBenchViews)) chosen.push_back(std::move(all[i]));
    return chosen;
}

}  // namespace

BenchScene readBenchScene(Context& context, const std::string& splats, const std::string& data) {
    Gaussians gaussians = readSplats(splats);
    const Dataset dataset = loadDataset(data);
    tellChoices(dataset, kTestEvery);
    const auto all = viewsOfSplit(dataset, Split::train, kTestEvery);
    if (all.empty()) throw InputError("{}: found no training views, expected at least 1", data);
    std::vector<size_t> views;
    for (const size_t i : spreadEvenly(all.size(), kBenchViews)) views.push_back(all[i]);
    Progress progress(std::cerr, context.progressStyle(), "photographs", views.size());
    auto photographs = loadPhotographs(dataset, views, {.downscale = 0}, [&](size_t done, size_t) { progress.update(done); });
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
    Gaussians gaussians = trained(context, data, settings, interrupt);
    return {std::move(gaussians), some(std::move(data.train))};
}

}  // namespace splat::app
