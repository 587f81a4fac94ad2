// Settings that change between two steps.
#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/core/settings.h>
#include <splatwright/gpu/reload.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/parts/pose_settings.h>
#include <splatwright/train/step/queue_pace.h>
#include "../scene/scratch.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

bool goOn(const StepReport&) { return true; }

/// Refines every ten steps, so that a short run has events too.
TrainSettings growingRun(uint32_t steps) {
    TrainSettings settings = shortRun(steps);
    settings.strategy = "default";
    settings.accumulate = "fixed-point";
    settings.densifyFrom = 0;
    settings.densifyInterval = 10;
    settings.mortonEvery = 2;
    settings.of<DefaultStrategySettings>().growGrad2d = 1e-5;
    settings.maxSplats = 400;        // more than the first capacity
    settings.longAxisSplit = false;  // else revised_opacity is refused
    settings.of<DefaultStrategySettings>().resetEvery = 30;
    settings.pruneOpacity = 0.005;
    return settings;
}

struct SmallScene {
    reference::Scene scene = reference::makeMixedScene(60, 32, 32, 6);
    std::vector<Photograph> photographs = photographsOf(scene, 3);
    Gaussians start = blurred(scene.gaussians);

    Trainer trainer(const TrainSettings& settings) const { return {testDevice(), testSort(), settings, start, photographs, 1.1}; }
};

TEST(Change, ToEqualSettingsChangesNoBit) {
    const SmallScene s;
    for (const uint32_t imageMemory : {64u, 0u}) {  // photographs on the GPU, and streamed
        TrainSettings settings = growingRun(24);
        settings.imageMemory = imageMemory;
        settings.of<ExposureSettings>().exposure = settings.of<PoseSettings>().refinePoses = imageMemory > 0;
        const TrainedRun whole = train(s.start, s.photographs, settings);
        Trainer trainer = s.trainer(settings);
        for (const uint32_t stop : {1u, 13u, 20u, 24u}) {
            trainer.run(stop, goOn);
            trainer.change(settings);
        }
        EXPECT_GT(whole.gaussians.count(), s.start.count());
        expectSameBits(whole.gaussians, trainer.model().download(testDevice(), 3));
    }
}

TEST(Change, RatesOfZeroStopWhatTheyMoved) {
    const SmallScene s;
    TrainSettings settings = shortRun(40);
    Trainer trainer = s.trainer(settings);
    trainer.run(20, goOn);
    const Gaussians before = trainer.model().download(testDevice(), 3);
    settings.lrMeans = settings.lrMeansFinal = settings.lrSh0 = 0;
    trainer.change(settings);
    trainer.run(40, goOn);
    const Gaussians after = trainer.model().download(testDevice(), 3);
    EXPECT_EQ(after.means, before.means);
    EXPECT_NE(after.logScales, before.logScales);
    EXPECT_EQ(trainer.settings().lrSh0, 0);
}

/// Another value than the field's, in its range.
std::string otherValue(const SettingField& field) {
    if (const auto* text = std::get_if<std::string*>(&field.value)) {
        for (const std::string_view choice : field.about.choices)
            if (choice != **text && choice != "bucket") return std::string(choice);
    }
    if (const auto* flag = std::get_if<bool*>(&field.value)) return **flag ? "false" : "true";
    if (const auto* number = std::get_if<uint32_t*>(&field.value)) {
        const uint32_t value = **number;
        return std::to_string(value > field.about.min ? value - 1 : value + 1);
    }
    if (const auto* number = std::get_if<double*>(&field.value)) {
        const double value = **number;
        return fmt::format("{}", value > 0 ? value * 0.9 + 0.1 * field.about.min : 0.001);
    }
    if (field.name == "region") return "0,0,0,1e4,1e4,1e4";
    return "0.5,0.25,0.125";
}

TEST(Change, EverySettingThatNeedsNoNewStartCanChangeWhileTrainingGoesOn) {
    const SmallScene s;
    TrainSettings settings = growingRun(340);
    settings.maxSplats = 120;
    Trainer trainer = s.trainer(settings);
    uint32_t step = 0, changed = 0;
    for (const SettingField& field : settingFields(settings)) {
        if (field.about.restart) continue;
        SCOPED_TRACE(field.name);
        const std::string before = settingText(field);
        for (const std::string& text : {otherValue(field), before}) {
            setSetting(field, text, "test");
            trainer.change(settings);
            trainer.run(step += 2, goOn);
            ASSERT_EQ(trainer.stepsDone(), step);
        }
        ++changed;
    }
    EXPECT_GT(changed, 40u);
    for (const glm::vec3& mean : trainer.model().download(testDevice(), 3).means)
        EXPECT_TRUE(glm::all(glm::lessThan(glm::abs(mean), glm::vec3(100))));
}

TEST(Change, WhatNeedsANewStartIsRefusedByNameAndChangesNothing) {
    const SmallScene s;
    TrainSettings settings = growingRun(20);
    const TrainedRun whole = train(s.start, s.photographs, settings);
    Trainer trainer = s.trainer(settings);
    trainer.run(10, goOn);
    uint32_t refused = 0;
    for (const SettingField& field : settingFields(settings)) {
        if (!field.about.restart) continue;
        const std::string before = settingText(field);
        setSetting(field, otherValue(field), "test");
        try {
            trainer.change(settings);
            ADD_FAILURE() << field.name << " was changed";
        } catch (const InputError& problem) {
            EXPECT_EQ(std::string(problem.what()).find(field.name), 0u) << problem.what();
        }
        setSetting(field, before, "test");
        ++refused;
    }
    EXPECT_EQ(refused, 32u);
    trainer.run(20, goOn);
    expectSameBits(whole.gaussians, trainer.model().download(testDevice(), 3));
}

TEST(Change, FewerStepsThanAreDoneAndSettingsThatContradictEachOtherAreRefused) {
    const SmallScene s;
    TrainSettings settings = shortRun(20);
    Trainer trainer = s.trainer(settings);
    trainer.run(10, goOn);
    settings.steps = 9;
    EXPECT_THROW(trainer.change(settings), InputError);
    settings = shortRun(20);
    settings.deterministic = true;
    EXPECT_THROW(trainer.change(settings), InputError);
    settings = shortRun(60);
    trainer.change(settings);
    trainer.run(60, goOn);
    EXPECT_EQ(trainer.stepsDone(), 60u);
}

TEST(Change, StatisticsComeAndGoWithTheStrategy) {
    const SmallScene s;
    TrainSettings settings = shortRun(60);
    Trainer trainer = s.trainer(settings);
    trainer.run(20, goOn);
    const uint64_t generation = trainer.modelGeneration();
    const VkDeviceSize row = trainer.densifyStatistics().bytes();
    settings = growingRun(60);
    settings.accumulate = "subtile";
    trainer.change(settings);
    EXPECT_NE(trainer.modelGeneration(), generation);
    EXPECT_EQ(trainer.densifyStatistics().bytes(), row * trainer.model().capacity);
    trainer.run(60, goOn);
    EXPECT_GT(trainer.model().download(testDevice(), 0).count(), s.start.count());
}

// An edited begin_step that takes the schedule's first row for ever, where the means' rate is zero.
TEST(Change, EditedKernelsRunFromTheNextStepOn) {
    namespace fs = std::filesystem;
    const SmallScene s;
    const test::Scratch scratch;
    gpu::Device device(testDeviceOptions());
    const primitives::RadixSort sort(device);
    auto sources = gpu::KernelSources::ofThisBuild();
    fs::copy(sources.shaders, scratch.path() / "shaders", fs::copy_options::recursive);
    sources.shaders = scratch.path() / "shaders";
    sources.kernels.at("begin_step").compiled = fs::file_time_type::clock::now();
    std::erase_if(sources.kernels, [](const auto& kernel) { return kernel.first != "begin_step"; });
    gpu::ShaderReload reload(device, sources);

    TrainSettings settings = shortRun(40);
    settings.lrMeans = 0;
    settings.lrMeansFinal = 0.01;
    Trainer trainer(device, sort, settings, s.start, s.photographs, 1.1);
    trainer.run(20, goOn);
    const Gaussians before = trainer.model().download(device, 3);
    EXPECT_NE(before.means, s.start.means);
    const fs::path file = sources.shaders / sources.kernels.at("begin_step").source;
    std::string text = readTextFile(file);
    const std::string row = "min(training[0].step, steps - 1)";
    ASSERT_NE(text.find(row), std::string::npos);
    std::ofstream(file) << text.replace(text.find(row), row.size(), "min(training[0].step, steps - 1) * 0");
    fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::seconds(1));
    EXPECT_EQ(reload.reload().problem, "");
    trainer.run(40, goOn);
    const Gaussians after = trainer.model().download(device, 3);
    EXPECT_EQ(after.means, before.means);
    EXPECT_NE(after.logScales, before.logScales);
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(QueuePace, AllowsAsMuchAsThereIsWithoutALimit) {
    const QueuePace pace;
    EXPECT_EQ(pace.capacity(32), 32u);
    EXPECT_EQ(pace.atOnce(4), 4u);
}

TEST(QueuePace, BoundsTheTimeAheadButKeepsTwoSubmissions) {
    using std::chrono::milliseconds;
    QueuePace pace;
    pace.setAhead(25);
    const QueuePace::Clock::time_point start{};
    pace.begin(start);
    EXPECT_EQ(pace.capacity(32), 2u);  // nothing is known yet
    EXPECT_EQ(pace.atOnce(4), 1u);
    pace.done(2, start + milliseconds(200));
    EXPECT_EQ(pace.capacity(32), 2u);
    EXPECT_EQ(pace.atOnce(4), 1u);
    for (int i = 1; i <= 100; ++i) pace.done(4, start + milliseconds(200 + 10 * i));  // 2.5 ms each
    EXPECT_NEAR(static_cast<double>(pace.capacity(32)), 10, 1);
    EXPECT_EQ(pace.atOnce(4), 4u);
    for (int i = 1; i <= 400; ++i) pace.done(10, start + milliseconds(1200 + i));  // 0.1 ms each
    EXPECT_EQ(pace.capacity(32), 32u);
}

TEST(Change, AShortQueueTrainsToTheSameBits) {
    const SmallScene s;
    const TrainSettings settings = growingRun(50);
    const TrainedRun whole = train(s.start, s.photographs, settings);
    Trainer trainer = s.trainer(settings);
    trainer.setQueueAhead(1);
    trainer.run(50, goOn);
    EXPECT_EQ(trainer.costs().waitsInSteps, 0u);
    expectSameBits(whole.gaussians, trainer.model().download(testDevice(), 3));
}

}  // namespace
}  // namespace splat
