#include <splatwright/train/step/accumulation_trials.h>

#include <algorithm>

#include <gtest/gtest.h>

#include <splatwright/train/step/step_queue.h>
#include <splatwright/train/step/trainer.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

uint32_t recorded = 0;  ///< backward passes by one of the rows below

void recordSubtile(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    ++recorded;
    accumulationByName("subtile").record(device, c, job);
}

void recordSlowly(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    for (int i = 0; i < 12; ++i) recordSubtile(device, c, job);
}

const AccumulationRow kCounted{.name = "counted", .help = "counts", .record = recordSubtile};
const AccumulationRow kSlow{.name = "slow", .help = "is slow", .record = recordSlowly};

/// What a trainer has to record steps, without its queue.
struct Steps {
    gpu::Device& device = testDevice();
    TrainSettings settings = shortRun(1000);
    reference::Scene scene = reference::makeMixedScene(60, 72, 56, 4);
    std::vector<Photograph> photographs = photographsOf(scene, 2);
    Targets targets{device, photographs, uint64_t{1} << 30u, 1};
    GaussianStore store{device, GaussianStore::roundedCapacity(scene.gaussians.count()), false};
    StepRecorder recorder{{device, testSort(), settings, 1.1}, store, photographs, targets};
    AccumulationTrials trials{device, recorder};

    Steps() {
        store.model.upload(device, scene.gaussians);
        recorder.makeFrame(100'000, 0);
        recorder.prepare(0);
    }
    /// Runs a step, and the trial behind it if there is one; true if there was.
    bool step(uint32_t index) {
        const size_t image = index % photographs.size();
        std::vector<const gpu::Commands*> work{&recorder.step(image, gpu::StageTimes::none)};
        const gpu::Commands* trial = trials.behind(index, image);
        if (trial) work.push_back(trial);
        device.wait(device.submit(work, {}));
        trials.done(index);
        return trial != nullptr;
    }
};

TEST(AccumulationTrials, StepsAreRecordedAnewByTheMethodWhenTheyAreNeeded) {
    Steps s;
    recorded = 0;
    EXPECT_FALSE(s.recorder.outdated());
    s.recorder.accumulateBy({&kCounted});
    EXPECT_TRUE(s.recorder.outdated());
    s.recorder.prepare(0);
    EXPECT_EQ(recorded, 1u);
    for (int i = 0; i < 2; ++i) s.recorder.step(1, gpu::StageTimes::none);
    EXPECT_EQ(recorded, 2u);
    EXPECT_FALSE(s.recorder.outdated());
    s.recorder.accumulateBy({&kCounted});
    EXPECT_FALSE(s.recorder.outdated());
}

TEST(AccumulationTrials, ATrialTimesEachMethodInOrder) {
    if (!testDevice().has(gpu::Feature::timestamps)) GTEST_SKIP() << "no time stamps";
    Steps s;
    const AccumulationMethod quick{&kCounted}, slow{&kSlow};
    const gpu::Commands trial = s.recorder.recordTrial(1, std::vector{quick, slow, quick});
    std::vector<double> times(3, 1e9);  // the least of some, because another process may delay one
    for (int round = 0; round < 5; ++round) {
        s.device.wait(s.device.submit(std::vector{&s.recorder.step(1, gpu::StageTimes::none), &trial}, {}));
        const std::vector<double> found = trial.stageMilliseconds();
        ASSERT_EQ(found.size(), times.size());
        std::ranges::transform(times, found, times.begin(), [](double least, double next) { return std::min(least, next); });
    }
    EXPECT_GT(times[0], 0);
    EXPECT_GT(times[1], 3 * times[2]);
}

TEST(AccumulationTrials, CompareNothingWithoutAFeatureThatTheyNeed) {
    for (const char* feature : {"timestamps", "float-atomics", "subgroup-operations"}) {
        const gpu::Device device(testDeviceOptions({feature}));
        EXPECT_FALSE(AccumulationTrials::missingFeature(device).empty()) << feature;
    }
}

TEST(AccumulationTrials, TheFastestMethodIsUsedNext) {
    if (const auto missing = AccumulationTrials::missingFeature(testDevice()); !missing.empty()) GTEST_SKIP() << "no " << missing;
    Steps s;
    s.trials.restart({{&kSlow}, {&kCounted}});
    EXPECT_EQ(s.recorder.method(), AccumulationMethod{&kSlow});
    s.recorder.prepare(0);
    for (uint32_t i = 0; i < AccumulationChoice::kRounds; ++i) {
        EXPECT_TRUE(s.trials.decisions().empty());
        EXPECT_TRUE(s.step(i));
    }
    ASSERT_EQ(s.trials.decisions().size(), 1u);
    EXPECT_TRUE(s.trials.decisions()[0].changed);
    EXPECT_EQ(s.trials.decisions()[0].step, AccumulationChoice::kRounds);
    EXPECT_EQ(s.recorder.method(), AccumulationMethod{&kCounted});
    EXPECT_TRUE(s.recorder.outdated());
    EXPECT_GT(s.trials.milliseconds(), 2 * s.trials.decisions()[0].nextMilliseconds);
    s.recorder.prepare(0);
    EXPECT_FALSE(s.step(100));
    EXPECT_TRUE(s.step(AccumulationChoice::kEvery));
}

TEST(AccumulationTrials, AnAbandonedTrialIsRepeated) {
    if (const auto missing = AccumulationTrials::missingFeature(testDevice()); !missing.empty()) GTEST_SKIP() << "no " << missing;
    Steps s;
    s.trials.restart({{&kCounted}, {&kSlow}});
    EXPECT_NE(s.trials.behind(0, 0), nullptr);
    EXPECT_EQ(s.trials.behind(1, 1), nullptr);
    s.trials.abandon();
    for (uint32_t i = 1; i <= AccumulationChoice::kRounds; ++i) EXPECT_TRUE(s.step(i));
    EXPECT_EQ(s.trials.decisions().size(), 1u);
}

TEST(AccumulationTrials, AnOverflowAbandonsTheTrial) {
    if (const auto missing = AccumulationTrials::missingFeature(testDevice()); !missing.empty()) GTEST_SKIP() << "no " << missing;
    Steps s;
    s.recorder.makeFrame(1, 0);
    s.trials.restart({{&kCounted}, {&kSlow}});
    s.recorder.prepare(0);
    StepQueue queue(s.device, s.recorder, s.trials, ViewOrder(s.photographs.size(), 1, {}, 0));
    queue.submitNext(1);
    queue.waitForAll();
    ASSERT_TRUE(queue.collect([](const FinishedWork&) {}));
    EXPECT_EQ(s.trials.behind(1, 0), nullptr);
    queue.rewind();
    EXPECT_NE(s.trials.behind(0, 0), nullptr);
    EXPECT_EQ(s.trials.milliseconds(), 0);
}

TEST(AccumulationTrials, AStepsResultDoesNotDependOnATrial) {
    const auto trained = [](bool withTrials) {
        Steps s;
        s.settings.accumulate = "fixed-point";
        s.recorder.change(s.settings);
        s.recorder.makeFrame(100'000, 0);
        for (uint32_t i = 0; i < 4; ++i) {
            const gpu::Commands trial = s.recorder.recordTrial(i % 2, std::vector{AccumulationMethod{&kCounted}});
            std::vector<const gpu::Commands*> work{&s.recorder.step(i % 2, gpu::StageTimes::none)};
            if (withTrials) work.push_back(&trial);
            s.device.wait(s.device.submit(work, {}));
        }
        return s.store.model.download(s.device, 3);
    };
    expectSameBits(trained(true), trained(false));
}

TEST(AccumulationTrials, ThereAreNoneWithoutTimeStamps) {
    gpu::Device device(testDeviceOptions({"timestamps"}));
    const primitives::RadixSort sort(device);
    const reference::Scene scene = reference::makeMixedScene(30, 32, 32, 4);
    TrainSettings settings = shortRun(30);
    settings.accumulate = kAutomatic;
    Trainer trainer(device, sort, settings, scene.gaussians, photographsOf(scene, 2), 1.1);
    trainer.run(30, [](const StepReport&) { return true; });
    EXPECT_TRUE(trainer.costs().accumulations.empty());
    EXPECT_EQ(trainer.stepsDone(), 30u);
}

}  // namespace
}  // namespace splat
