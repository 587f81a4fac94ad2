// Decisions of the watch over a training, from reports that are made up. Trainings that collapse themselves are in watch_test.cpp.
#include <splatwright/train/watch/training_watch.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/train/checkpoint/checkpoint.h>
#include "scene/scratch.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

constexpr double kFlatError = 0.2;

/// A trainer of few steps, and reports of any.
struct WatchedTraining : testing::Test {
    void SetUp() override { watch.begin(trainer, flatErrors, nullptr); }

    void trainTo(uint32_t step) {
        trainer.run(step, [](const StepReport&) { return true; });
        watch.keep(trainer);
    }
    /// Adds reports of this error, relative to flat pictures, of the last steps before a sample.
    std::optional<HealthSample> sampleAt(uint32_t step, double error) {
        add(step - 1, error);
        return add(step, error, ModelHealth{.meanOpacity = 0.3});
    }
    std::optional<HealthSample> add(uint32_t step, double error, std::optional<ModelHealth> health = {}) {
        return watch.add({.step = step, .losses = {{"l1", 1, kFlatError * error}}, .view = step % 3, .health = health});
    }
    static Diverged problemAt(uint32_t step) { return Diverged({.step = step}, "it fades"); }
    static void expectSays(const Diverged& problem, const std::vector<std::string>& parts) {
        const std::string text = problem.what();
        for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
    }
    std::optional<uint32_t> copiedBefore(uint32_t step) const { return watch.copiedStep(problemAt(step)); }

    const std::vector<double> flatErrors{kFlatError, kFlatError, kFlatError};
    const reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    Trainer trainer{testDevice(), testSort(), shortRun(40), blurred(scene.gaussians), photographsOf(scene, 3), 1.1};
    TrainingWatch watch{testDevice()};
};

/// A problem may have begun 500 steps before it is noticed. There are two copies.
TEST_F(WatchedTraining, ReturnsToTheNewestCopyFromBeforeTheTroubleOrToTheOldest) {
    EXPECT_EQ(copiedBefore(1), 0u) << "the start";
    trainTo(10);
    EXPECT_EQ(copiedBefore(509), 0u);
    trainTo(20);
    EXPECT_EQ(copiedBefore(520), 20u);
    EXPECT_EQ(copiedBefore(519), 10u);
    EXPECT_EQ(copiedBefore(1), 10u);
    watch.change(trainer);
    EXPECT_EQ(copiedBefore(1), 20u) << "copies with other settings are of no use";
}

TEST_F(WatchedTraining, IsNotCopiedWhileItLooksIll) {
    for (const uint32_t step : {100u, 200u, 300u}) sampleAt(step, 0.1);
    trainTo(10);
    sampleAt(400, 0.9);
    EXPECT_FALSE(watch.healthy());
    trainTo(20);
    EXPECT_EQ(copiedBefore(10'000), 10u);
    sampleAt(500, 0.1);
    EXPECT_TRUE(watch.healthy());
    trainTo(30);
    EXPECT_EQ(copiedBefore(10'000), 30u);
}

TEST_F(WatchedTraining, RollsBackOnceWithHalfTheRates) {
    for (const uint32_t step : {100u, 200u, 300u}) sampleAt(step, 0.1);
    add(301, 0.1);
    trainTo(10);
    const nlohmann::json then = watch.state();
    trainTo(20);
    for (const uint32_t step : {400u, 500u, 600u}) sampleAt(step, 1.2);
    EXPECT_FALSE(watch.collapse());
    sampleAt(700, 1.2);
    ASSERT_TRUE(watch.collapse());
    expectSays(*watch.collapse(), {"collapses, seen at step 700", "1.20 of those of flat pictures", "watch=false"});
    ASSERT_TRUE(watch.mayRollBack(*watch.collapse()));
    const Rollback made = watch.rollBack(trainer, problemAt(519));
    EXPECT_EQ(made.from, 519u);
    EXPECT_EQ(made.to, 10u);
    EXPECT_EQ(made.rateScale, 0.5);
    EXPECT_EQ(trainer.stepsDone(), 10u);
    EXPECT_EQ(trainer.rateScale(), 0.5);
    EXPECT_FALSE(watch.collapse());
    EXPECT_EQ(watch.state().at("detector"), then.at("detector"));
    EXPECT_EQ(watch.state().at("sums"), then.at("sums"));
    for (const uint32_t step : {1u, 10'000u}) EXPECT_EQ(copiedBefore(step), 10u) << "what followed is of the abandoned attempt";
    EXPECT_FALSE(watch.mayRollBack(problemAt(10'000)));
    expectSays(watch.finally(problemAt(600)), {"it fades, again after it was rolled back from step 519 to step 10", "0.5"});
}

TEST_F(WatchedTraining, ContinuesFromACheckpoint) {
    for (const uint32_t step : {100u, 200u, 300u}) sampleAt(step, 0.1);
    watch.rollBack(trainer, problemAt(300));
    for (const uint32_t step : {100u, 200u}) sampleAt(step, 0.9);
    add(201, 0.1);
    Checkpoint checkpoint = trainer.checkpoint();
    TrainingWatch other(testDevice());
    other.begin(trainer, flatErrors, &checkpoint);
    EXPECT_TRUE(other.mayRollBack(problemAt(300))) << "of a version without a watch";
    checkpoint.header["watch"] = watch.state();
    other.begin(trainer, flatErrors, &checkpoint);
    EXPECT_EQ(other.state(), watch.state());
    EXPECT_FALSE(other.mayRollBack(problemAt(300)));
    for (const char* part : {"detector", "sums", "rollbacks"}) {
        Checkpoint damaged = checkpoint;
        damaged.path = "a.splat-ckpt";
        damaged.header["watch"].erase(part);
        test::expectInputError([&] { other.begin(trainer, flatErrors, &damaged); }, {"a.splat-ckpt: watch is", "expected detector, sums"});
    }
}

TEST_F(WatchedTraining, ErrorsOfSmallerImagesSayNothingOfLargerOnes) {
    TrainSettings settings = shortRun(2000);
    settings.startDownscale = 2;
    for (const bool grows : {false, true}) {
        settings.fullSizeFrom = grows ? 1000 : 0;
        Trainer sized(testDevice(), testSort(), settings, blurred(scene.gaussians), photographsOf(scene, 3), 1.1);
        watch.begin(sized, flatErrors, nullptr);
        for (uint32_t step = 1; step <= 1600 && !watch.collapse(); ++step)
            add(step, step <= 1000 ? 0.05 : 0.4, step % 100 == 0 ? std::optional(ModelHealth{.meanOpacity = 0.3}) : std::nullopt);
        EXPECT_EQ(watch.collapse().has_value(), !grows);
    }
}

TEST_F(WatchedTraining, SwitchedOffItOnlyMeasures) {
    TrainSettings settings = shortRun(40);
    settings.watch = false;
    trainer.change(settings);
    watch.change(trainer);
    for (uint32_t step = 100; step <= 1000; step += 100) {
        const auto sample = sampleAt(step, 2.5);
        ASSERT_TRUE(sample && sample->relativeError);
        EXPECT_NEAR(*sample->relativeError, 2.5, 1e-9);
    }
    EXPECT_FALSE(watch.collapse());
    trainTo(10);
    EXPECT_FALSE(copiedBefore(10'000));
    EXPECT_FALSE(watch.mayRollBack(problemAt(10'000)));
}

}  // namespace
}  // namespace splat
