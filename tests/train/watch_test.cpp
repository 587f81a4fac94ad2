// Trainings that are made to collapse: they are noticed, rolled back once, and end with what was sound.
#include <splatwright/train/watch/training_watch.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/settings.h>
#include <splatwright/gpu/memory_budget.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/session/resume.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/train/session/session.h>
#include "live_fixture.h"
#include "train/recipes.h"
#include "train/small_runs.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

struct Diary : SessionObserver {
    void onStep(const StepReport& report, double) override {
        steps.push_back(report.step);
        if (afterStep) afterStep(report.step);
    }
    void onRollback(const Rollback& rollback) override { rollbacks.push_back(rollback); }
    void onDivergence(const Diverged& problem) override {
        ends.push_back(problem.report.step);
        if (atEnd) atEnd();
    }
    void onRescue(const SavedFiles& files) override { saved = files; }

    std::function<void(uint32_t)> afterStep;
    std::function<void()> atEnd;
    std::vector<uint32_t> steps, ends;
    std::vector<Rollback> rollbacks;
    std::optional<SavedFiles> saved;
};

struct Watch : testing::Test {
    Watch() { writeSynthDataset(data, {.scene = "object", .views = 5, .width = 24, .height = 18}); }

    /// A run of a tiny model.
    static TrainSettings tiny(uint32_t steps) {
        TrainSettings settings = defaultsOf("fixed");
        settings.steps = steps;
        settings.init = "random";
        settings.initCount = 60;
        settings.initOpacity = 0.5;
        settings.shDegree = 0;
        settings.checkpointEvery = 0;
        settings.deterministic = true;
        settings.accumulate = "fixed-point";
        return settings;
    }
    /// Returns the problem that it ends with; empty: none.
    std::string run(const TrainSettings& settings, const fs::path& folder, const fs::path& resume = {}) {
        diary.steps.clear();
        diary.rollbacks.clear();
        diary.ends.clear();
        TrainingSession session(
            testDevice(), {.data = data, .settings = settings, .folder = folder, .resume = resume, .observer = &diary, .version = "test"});
        session_ = &session;
        try {
            session.run();
        } catch (const Error& problem) {
            return problem.what();
        }
        return "";
    }
    fs::path out(const std::string& name) const { return scratch.path() / name; }
    static std::string bytesOf(const fs::path& file) { return readTextFile(file); }
    static std::vector<uint32_t> loggedSteps(const fs::path& folder) {
        std::vector<uint32_t> steps;
        std::istringstream log(bytesOf(folder / kLogFile));
        for (std::string line; std::getline(log, line);) steps.push_back(nlohmann::json::parse(line)["step"].get<uint32_t>());
        return steps;
    }

    test::Scratch scratch;
    fs::path data = scratch.path() / "data";
    Diary diary;
    TrainingSession* session_ = nullptr;
};

/// A change of settings that ruins a training.
struct Fault {
    std::string name;
    std::vector<std::pair<std::string, std::string>> assignments;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

struct Faulty : Watch, testing::WithParamInterface<Fault> {};

// The fading one takes ten seconds: some 500 steps until it is noticed, and 600 more after the roll-back.
TEST_P(Faulty, IsNoticedWithinFiveHundredStepsRolledBackOnceAndEnds) {
    TrainSettings settings = tiny(1000);
    for (const auto& [name, value] : GetParam().assignments) setSetting(findSetting(settingFields(settings), name, "test"), value, "test");
    const std::string problem = run(settings, out("run"));
    ASSERT_EQ(diary.rollbacks.size(), 1u) << problem;
    EXPECT_LE(diary.rollbacks[0].from, 500u) << diary.rollbacks[0].problem;
    EXPECT_EQ(diary.rollbacks[0].to, 0u);
    EXPECT_EQ(diary.rollbacks[0].rateScale, 0.5);
    ASSERT_EQ(diary.ends.size(), 1u);
    EXPECT_LE(diary.ends[0], 700u) << problem;  // half the rates ruin it more slowly
    EXPECT_NE(problem.find("again"), std::string::npos) << problem;
    EXPECT_NE(problem.find(fmt::format("step {}", diary.ends[0])), std::string::npos) << problem;
    std::vector<nlohmann::json> problems;
    std::istringstream log(bytesOf(out("run") / kLogFile));
    for (std::string line; std::getline(log, line);) {
        if (const auto object = nlohmann::json::parse(line); object.contains("problem")) problems.push_back(object);
    }
    ASSERT_EQ(problems.size(), 2u);
    EXPECT_EQ(problems[0]["rolled_back_to"], 0);
    EXPECT_EQ(problems[0]["step"], diary.rollbacks[0].from);
}

const Fault kMeans{"means", {{"lr_means", "3"}, {"lr_means_final", "3"}}};
const Fault kNoise{"noise", {{"strategy", "mcmc"}, {"lr_means", "1"}, {"lr_means_final", "1"}, {"noise_lr", "1e9"}, {"max_splats", "60"}}};
const Fault kFading{"fading", {{"opacity_reg", "1000"}}};
INSTANTIATE_TEST_SUITE_P(Watch, Faulty, testing::Values(kMeans, kNoise, kFading), [](const auto& test) { return test.param.name; });

/// A device whose driver grants so much more than it uses, or says nothing.
struct CopyPlace {
    std::string name;
    std::optional<uint64_t> free;
    bool onDevice;
};

class StateCopyPlace : public testing::TestWithParam<CopyPlace> {};

/// A copy is read long after it was taken, and its memory is used again by the next one.
TEST_P(StateCopyPlace, IsTheCheckpointOfItsStepWhateverFollows) {
    gpu::Device device(testDeviceOptions());
    device.known<gpu::BudgetQuery>(gpu::kBudgetQuery, [] {
        return [free = GetParam().free]() -> std::optional<gpu::MemoryBudget> {
            if (!free) return std::nullopt;
            return gpu::MemoryBudget{.bytes = (uint64_t{1} << 30u) + *free, .used = uint64_t{1} << 30u};
        };
    });
    const primitives::RadixSort sort(device);
    const reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    Trainer trainer(device, sort, shortRun(40), blurred(scene.gaussians), photographsOf(scene, 3), 1.1);
    const auto until = [&](uint32_t step) { trainer.run(step, [](const StepReport&) { return true; }); };
    StateCopy copy(device);
    EXPECT_FALSE(copy.step());
    for (const uint32_t step : {10u, 20u}) {
        until(step);
        trainer.scaleRates(1.0 / step);
        const Checkpoint expected = trainer.checkpoint();
        const int64_t before = device.memoryInUse();
        trainer.copyState(copy);
        if (step == 10) {
            EXPECT_EQ(device.memoryInUse() > before, GetParam().onDevice);
        }
        EXPECT_EQ(copy.step(), step);
        until(step + 5);
        const Checkpoint found = copy.checkpoint();
        EXPECT_EQ(found.header, expected.header);
        ASSERT_EQ(found.sections.size(), expected.sections.size());
        for (size_t i = 0; i < found.sections.size(); ++i) {
            EXPECT_EQ(found.sections[i].name, expected.sections[i].name);
            EXPECT_EQ(found.sections[i].stride, expected.sections[i].stride);
            EXPECT_EQ(found.sections[i].bytes, expected.sections[i].bytes) << found.sections[i].name;
        }
    }
    trainer.scaleRates(1);
    trainer.restore(copy.checkpoint());
    EXPECT_EQ(trainer.stepsDone(), 20u);
    EXPECT_EQ(trainer.rateScale(), 1.0 / 20);
    EXPECT_EQ(trainer.costs().waitsInSteps, 0u);
}

// A copy of 60 Gaussians has 31 KiB; training has allocated its own blocks by then.
INSTANTIATE_TEST_SUITE_P(Devices, StateCopyPlace,
                         testing::Values(CopyPlace{"WithRoom", uint64_t{1} << 28u, true}, CopyPlace{"Full", 100'000, false},
                                         CopyPlace{"Unknown", std::nullopt, false}),
                         [](const auto& test) { return test.param.name; });

/// A training that is sound for a while and then fades. Ten seconds: it is sampled every 100 steps, and fades twice until it is noticed.
struct Ruined : Watch {
    TrainSettings ruined = tiny(2000);
    void SetUp() override {
        TrainSettings sound = tiny(600);
        ASSERT_EQ(run(sound, out("sound")), "");
        ruined.opacityReg = 1000;
        ruined.checkpointEvery = 130;  // also while it fades, but not where the health is measured
    }
};

TEST_F(Ruined, EndsWithTheSplatsAndTheCheckpointOfTheLastSoundState) {
    const fs::path checkpoint = out("run") / kCheckpointFile;
    double seconds = 0;
    diary.atEnd = [&] { seconds = historyOf(readCheckpoint(checkpoint)).trainSeconds; };
    const std::string problem = run(ruined, out("run"), out("sound") / kCheckpointFile);
    ASSERT_EQ(diary.rollbacks.size(), 1u) << problem;
    EXPECT_EQ(diary.rollbacks[0].to, 600u);
    EXPECT_LE(diary.rollbacks[0].from, 1100u);
    EXPECT_EQ(diary.steps.size(), diary.rollbacks[0].from + diary.ends.at(0) - 2 * 600u) << "none behind a collapse";
    ASSERT_TRUE(diary.saved);
    EXPECT_EQ(diary.saved->splatsStep, 600u);
    EXPECT_EQ(diary.saved->checkpointStep, 600u);
    EXPECT_EQ(bytesOf(out("run") / kSplatsFile), bytesOf(out("sound") / kSplatsFile));
    EXPECT_EQ(readCheckpoint(checkpoint).value<uint32_t>("step"), 600u);
    EXPECT_GT(historyOf(readCheckpoint(checkpoint)).trainSeconds, seconds) << "those of both attempts";
}

/// Positions become infinite with these rates, and do not with half of them.
TEST_F(Watch, ARollBackIsTheSameInEveryRunAndContinuesToTheSameBytesWhenResumed) {
    TrainSettings settings = tiny(350);
    settings.lrMeans = settings.lrMeansFinal = 1e38;
    EXPECT_EQ(run(settings, out("a")), "");
    ASSERT_EQ(diary.rollbacks.size(), 1u);
    EXPECT_EQ(diary.rollbacks[0].to, 0u);
    const std::vector<uint32_t> steps = diary.steps;
    EXPECT_EQ(run(settings, out("b")), "");
    EXPECT_EQ(diary.steps, steps);
    diary.afterStep = [&](uint32_t step) {
        if (!diary.rollbacks.empty() && step == 150) session_->stop();
    };
    EXPECT_EQ(run(settings, out("c")), "");
    diary.afterStep = nullptr;
    EXPECT_EQ(readCheckpoint(out("c") / kCheckpointFile).value<double>("rate_scale"), 0.5);
    EXPECT_EQ(run(settings, out("c"), out("c") / kCheckpointFile), "");
    EXPECT_TRUE(diary.rollbacks.empty());
    for (const char* again : {"b", "c"}) EXPECT_EQ(bytesOf(out("a") / kSplatsFile), bytesOf(out(again) / kSplatsFile)) << again;
    EXPECT_EQ(loggedSteps(out("c")), loggedSteps(out("a")));
    const auto of = [&](const char* name) { return nlohmann::json::parse(bytesOf(out(name) / kMetricsFile))["rollbacks"]; };
    EXPECT_EQ(of("c"), of("a"));
    EXPECT_EQ(of("a").size(), 1u);
    EXPECT_NE(bytesOf(out("a") / kLogFile).find("\"mean_opacity\":"), std::string::npos);
}

TEST_F(Watch, SwitchedOffItLetsATrainingGoOn) {
    TrainSettings settings = tiny(700);
    settings.opacityReg = 1000;
    settings.watch = false;
    EXPECT_EQ(run(settings, out("run")), "");
    EXPECT_TRUE(diary.rollbacks.empty());
    const auto metrics = nlohmann::json::parse(bytesOf(out("run") / kMetricsFile));
    EXPECT_NE(metrics["warning"].get<std::string>().find("flat"), std::string::npos);
    EXPECT_LT(metrics["psnr"].get<double>(), metrics["flat_psnr"].get<double>() + 3);
    EXPECT_EQ(metrics["rollbacks"].size(), 0u);
}

struct Sound : Watch, testing::WithParamInterface<Recipe> {};

/// Every preset with a schedule for 600 steps: refinements every 50, resets (if it has any) every 200.
TEST_P(Sound, IsLeftAlone) {
    TrainSettings settings = GetParam().settings;
    settings.steps = 600;
    settings.densifyFrom = 100;
    settings.densifyUntil = 500;
    settings.densifyInterval = 50;
    settings.maxPasses = 0;
    settings.init = "random";
    settings.initCount = 60;
    settings.shDegree = 0;
    settings.maxSplats = 100;
    auto& own = settings.of<DefaultStrategySettings>();
    if (own.resetEvery > 0) own.resetEvery = 200;
    EXPECT_EQ(run(settings, out("run")), "");
    EXPECT_TRUE(diary.rollbacks.empty());
    const auto metrics = nlohmann::json::parse(bytesOf(out("run") / kMetricsFile));
    EXPECT_FALSE(metrics.contains("warning")) << metrics["warning"];
}

/// Presets with all strategies that train scenes but `fixed`, or the others.
std::vector<Recipe> presets(bool others) {
    std::vector<Recipe> all = allRecipes();
    const auto isFirst = [](const Recipe& recipe) {
        return recipe.name == "preset mcmc" || recipe.name == "preset gsplat" || recipe.name == "preset fast";
    };
    std::erase_if(all, [&](const Recipe& recipe) { return !recipe.name.starts_with("preset") || isFirst(recipe) == others; });
    return all;
}

INSTANTIATE_TEST_SUITE_P(Watch, Sound, testing::ValuesIn(presets(false)), recipeTestName);
INSTANTIATE_TEST_SUITE_P(SweepOfPresets, Sound, testing::ValuesIn(presets(true)), recipeTestName);

}  // namespace
}  // namespace splat
