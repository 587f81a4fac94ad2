// What a live training tells and leaves to somebody who keeps a record of it.
#include "train/live_observer.h"

#include <gtest/gtest.h>

#include "live_fixture.h"
#include "scene/formats/ply.h"
#include "train/resume.h"

namespace splat {
namespace {

using namespace test;

/// Remembers everything. Its members are for the test's thread once the training is gone, or at rest.
struct Diary : LiveObserver {
    void onStart(const Trainer& trainer, const TrainingData& data) override {
        starts.push_back(trainer.stepsDone());
        views = data.train.size();
    }
    void onStep(const StepReport& report, double, const TrainSettings&) override {
        steps.push_back(report.step);
        if (report.step == failAt) throw Error("the disk is full");
    }
    void onEvaluation(const Evaluation& evaluation) override { evaluations.emplace_back(steps.back(), evaluation.views.size()); }
    void onEnd(Trainer& trainer, const TrainingData&) override { ends.push_back(trainer.stepsDone()); }
    void onDivergence(const Diverged& said) override { divergences.push_back(said.report.step); }
    void onFailure(const std::string& said, Trainer* trainer) override {
        problem = said;
        hadTrainer = trainer != nullptr;
    }

    uint32_t failAt = 0;
    std::vector<uint32_t> starts, steps, ends, divergences;
    std::vector<std::pair<uint32_t, size_t>> evaluations;  ///< after which step, of how many views
    size_t views = 0;
    std::string problem;
    bool hadTrainer = false;
};

struct LiveRecord : Live {
    Diary diary;
    std::filesystem::path checkpoint = scratch.path() / "checkpoint.splat-ckpt";

    LiveOptions observed(uint32_t steps) {
        LiveOptions all = options(growing(steps));
        all.observer = &diary;
        all.checkpoint = checkpoint;
        return all;
    }
    static std::vector<uint32_t> oneTo(uint32_t last) {
        std::vector<uint32_t> numbers(last);
        for (uint32_t i = 0; i < last; ++i) numbers[i] = i + 1;
        return numbers;
    }
};

TEST_F(LiveRecord, TellsStepsAndEvaluationsInOrderAndTheEndOnce) {
    {
        LiveOptions all = observed(20);
        all.evaluateAt = {7, 20};
        LiveTraining training(testDevice(), testSort(), all);
        training.start();
        ASSERT_TRUE(becomes(training, LivePhase::finished));
        EXPECT_EQ(readCheckpoint(checkpoint).value<uint32_t>("step"), 20u);
    }
    EXPECT_EQ(diary.starts, std::vector<uint32_t>{0});
    EXPECT_EQ(diary.views, 7u);
    EXPECT_EQ(diary.steps, oneTo(20));
    EXPECT_EQ(diary.evaluations, (std::vector<std::pair<uint32_t, size_t>>{{7, 2}, {20, 2}}));
    EXPECT_EQ(diary.ends, std::vector<uint32_t>{20});
    EXPECT_EQ(diary.problem, "");
}

TEST_F(LiveRecord, LeavingHalfWayIsAnEndAndWritesACheckpointToGoOnFrom) {
    {
        LiveTraining training(testDevice(), testSort(), observed(100'000));
        training.start();
        ASSERT_TRUE(eventually([&] { return training.state().last.step > 5; }));
    }
    ASSERT_EQ(diary.ends.size(), 1u);
    EXPECT_EQ(diary.ends[0], diary.steps.back());
    const Checkpoint left = readCheckpoint(checkpoint);
    const auto step = left.value<uint32_t>("step");
    EXPECT_EQ(step, diary.ends[0]);

    LiveOptions further = observed(step + 5);
    further.resume = left;
    LiveTraining training(testDevice(), testSort(), further);
    ASSERT_TRUE(becomes(training, LivePhase::paused)) << training.state().problem;
    EXPECT_EQ(training.state().last.step, step);
    EXPECT_EQ(diary.starts, (std::vector<uint32_t>{0, step}));
    training.start();
    ASSERT_TRUE(becomes(training, LivePhase::finished));
    EXPECT_EQ(diary.steps, oneTo(step + 5));
    EXPECT_EQ(historyOf(readCheckpoint(checkpoint)).resumedFrom, (std::vector<uint32_t>{step, step + 5}));
}

TEST_F(LiveRecord, WithoutAStepThereIsNothingToLeave) {
    {
        LiveTraining training(testDevice(), testSort(), observed(10));
        ASSERT_TRUE(becomes(training, LivePhase::ready));
    }
    EXPECT_TRUE(diary.ends.empty());
    EXPECT_FALSE(std::filesystem::exists(checkpoint));
}

TEST_F(LiveRecord, ACheckpointOfAnotherDatasetIsRefused) {
    {
        LiveTraining training(testDevice(), testSort(), observed(3));
        training.start();
        ASSERT_TRUE(becomes(training, LivePhase::finished));
    }
    LiveOptions other = observed(9);
    other.data = scratch.path() / "other";
    writeSynthDataset(other.data, {.scene = "object", .views = 5, .width = 48, .height = 36});
    other.resume = readCheckpoint(checkpoint);
    LiveTraining training(testDevice(), testSort(), other);
    ASSERT_TRUE(becomes(training, LivePhase::failed));
    EXPECT_NE(training.state().problem.find("views"), std::string::npos) << training.state().problem;
}

TEST_F(LiveRecord, WhatCannotBeRecordedEndsTheTraining) {
    diary.failAt = 4;
    {
        LiveTraining training(testDevice(), testSort(), observed(100));
        training.start();
        ASSERT_TRUE(becomes(training, LivePhase::failed));
        EXPECT_EQ(training.state().problem, "the disk is full");
    }
    EXPECT_EQ(diary.problem, "the disk is full");
    EXPECT_TRUE(diary.hadTrainer);
    EXPECT_TRUE(diary.ends.empty());
}

/// The rate of positions rises to more than single precision holds.
TEST_F(LiveRecord, DivergingIsAPauseWithTheMessageThatKeepsTheLastCheckpoint) {
    LiveOptions all = observed(60);
    all.settings.strategy = "fixed";
    all.settings.checkpointEvery = 7;
    all.settings.lrMeansFinal = 1e100;
    const auto other = scratch.path() / "other.splat-ckpt";
    {
        LiveTraining training(testDevice(), testSort(), all);
        training.start();
        ASSERT_TRUE(eventually([&] { return !training.state().problem.empty(); }));
        ASSERT_TRUE(becomes(training, LivePhase::paused));
        training.start();  // it cannot go on
        training.saveCheckpoint(other);
        training.saveSplats(scratch.path() / "last.ply");
        ASSERT_TRUE(eventually([&] { return std::filesystem::exists(scratch.path() / "last.ply"); }));
        ASSERT_TRUE(becomes(training, LivePhase::paused));
        const LiveState state = training.state();
        EXPECT_NE(state.problem.find("diverged"), std::string::npos) << state.problem;
        ASSERT_EQ(diary.divergences.size(), 1u);
        EXPECT_NE(state.problem.find(fmt::format("step {}", diary.divergences[0])), std::string::npos) << state.problem;
        EXPECT_EQ(state.last.step + 1, diary.divergences[0]);
        EXPECT_EQ(state.checkpointStep, state.last.step / 7 * 7);
    }
    EXPECT_TRUE(diary.ends.empty());
    EXPECT_EQ(diary.problem, "");
    EXPECT_FALSE(std::filesystem::exists(other));
    EXPECT_EQ(readCheckpoint(checkpoint).value<uint32_t>("step"), (diary.divergences[0] - 1) / 7 * 7);
    EXPECT_NO_THROW(readPly(scratch.path() / "last.ply"));
}

TEST_F(LiveRecord, ANewStartGetsOverADivergence) {
    LiveOptions all = observed(60);
    all.settings.lrSh0 = 1e60;
    LiveTraining training(testDevice(), testSort(), all);
    training.start();
    ASSERT_TRUE(eventually([&] { return training.state().problem.find("diverged") != std::string::npos; }));
    training.reset(growing(8));
    training.start();
    ASSERT_TRUE(becomes(training, LivePhase::finished)) << training.state().problem;
    EXPECT_EQ(training.state().problem, "");
    EXPECT_EQ(diary.ends, std::vector<uint32_t>{8});
    EXPECT_EQ(readCheckpoint(checkpoint).value<uint32_t>("step"), 8u);
}

TEST_F(LiveRecord, ADatasetThatIsNotThereFailsWithoutATrainer) {
    LiveOptions wrong = observed(3);
    wrong.data = scratch.path() / "nothing";
    LiveTraining training(testDevice(), testSort(), wrong);
    ASSERT_TRUE(becomes(training, LivePhase::failed));
    EXPECT_FALSE(diary.hadTrainer);
    EXPECT_NE(diary.problem.find("nothing"), std::string::npos);
}

}  // namespace
}  // namespace splat
