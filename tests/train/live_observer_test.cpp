// What a live training tells and leaves to somebody who keeps a record of it.
#include <splatwright/train/session/session_observer.h>

#include <gtest/gtest.h>

#include <splatwright/scene/formats/ply.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/session/resume.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/train/session/training_data.h>
#include "live_fixture.h"

namespace splat {
namespace {

using namespace test;

/// Remembers everything. Its members are for the test's thread once the training is gone, or at rest.
struct Diary : SessionObserver {
    void onData(const TrainingData& data, const TrainSettings&) override { views = data.train.size(); }
    void onStart(uint32_t step, const TrainSettings&) override { starts.push_back(step); }
    void onStep(const StepReport& report, double) override {
        steps.push_back(report.step);
        if (report.step == failAt) throw Error("the disk is full");
    }
    void onEvaluation(uint32_t step, const Evaluation& evaluation) override {
        EXPECT_EQ(step, steps.back());
        evaluations.emplace_back(step, evaluation.views.size());
    }
    void onEnd(const RunSummary& summary) override { ends.push_back(summary.costs.steps); }
    void onDivergence(const Diverged& said) override { divergences.push_back(said.report.step); }
    void onFailure(const std::string& said) override { problem = said; }
    void onRescue(const SavedFiles& saved) override {
        hadTrainer = true;
        left = saved;
    }

    uint32_t failAt = 0;
    std::vector<uint32_t> starts, steps, ends, divergences;
    std::vector<std::pair<uint32_t, size_t>> evaluations;  ///< after which step, of how many views
    size_t views = 0;
    std::string problem;
    bool hadTrainer = false;
    SavedFiles left;
};

struct LiveRecord : Live {
    Diary diary;
    std::filesystem::path folder = scratch.path() / "run", checkpoint = folder / kCheckpointFile;

    SessionOptions observed(uint32_t steps) {
        SessionOptions all = options(growing(steps));
        all.observer = &diary;
        all.folder = folder;
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
        SessionOptions all = observed(20);
        all.evaluateAt = {7, 20};
        LiveTraining training(testDevice(), all);
        training.start();
        ASSERT_TRUE(becomes(training, SessionPhase::finished));
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
        LiveTraining training(testDevice(), observed(100'000));
        training.start();
        ASSERT_TRUE(eventually([&] { return training.state().last.step > 5; }));
    }
    ASSERT_EQ(diary.ends.size(), 1u);
    EXPECT_EQ(diary.ends[0], diary.steps.back());
    const Checkpoint left = readCheckpoint(checkpoint);
    const auto step = left.value<uint32_t>("step");
    EXPECT_EQ(step, diary.ends[0]);

    SessionOptions further = observed(step + 5);
    further.resume = checkpoint;
    LiveTraining training(testDevice(), further);
    ASSERT_TRUE(becomes(training, SessionPhase::paused)) << training.state().problem;
    EXPECT_EQ(training.state().last.step, step);
    EXPECT_EQ(diary.starts, (std::vector<uint32_t>{0, step}));
    training.start();
    ASSERT_TRUE(becomes(training, SessionPhase::finished));
    EXPECT_EQ(diary.steps, oneTo(step + 5));
    EXPECT_EQ(historyOf(readCheckpoint(checkpoint)).resumedFrom, (std::vector<uint32_t>{step, step + 5}));
}

TEST_F(LiveRecord, WithoutAStepThereIsNothingToLeave) {
    {
        LiveTraining training(testDevice(), observed(10));
        ASSERT_TRUE(becomes(training, SessionPhase::ready));
    }
    EXPECT_TRUE(diary.ends.empty());
    EXPECT_FALSE(std::filesystem::exists(checkpoint));
}

TEST_F(LiveRecord, ACheckpointOfAnotherDatasetIsRefused) {
    {
        LiveTraining training(testDevice(), observed(3));
        training.start();
        ASSERT_TRUE(becomes(training, SessionPhase::finished));
    }
    SessionOptions other = observed(9);
    other.data = scratch.path() / "other";
    writeSynthDataset(other.data, {.scene = "object", .views = 5, .width = 48, .height = 36});
    other.resume = checkpoint;
    LiveTraining training(testDevice(), other);
    ASSERT_TRUE(becomes(training, SessionPhase::failed));
    EXPECT_NE(training.state().problem.find("views"), std::string::npos) << training.state().problem;
}

TEST_F(LiveRecord, WhatCannotBeRecordedEndsTheTraining) {
    diary.failAt = 4;
    {
        LiveTraining training(testDevice(), observed(100));
        training.start();
        ASSERT_TRUE(becomes(training, SessionPhase::failed));
        EXPECT_EQ(training.state().problem, "the disk is full");
    }
    EXPECT_EQ(diary.problem, "the disk is full");
    EXPECT_TRUE(diary.hadTrainer);
    EXPECT_TRUE(diary.ends.empty());
}

/// The rate of positions rises to more than single precision holds.
TEST_F(LiveRecord, DivergingIsAPauseWithTheMessageThatKeepsTheLastCheckpoint) {
    SessionOptions all = observed(60);
    all.settings.strategy = "fixed";
    all.settings.checkpointEvery = 7;
    all.settings.lrMeansFinal = 1e100;
    const auto other = scratch.path() / "other.splat-ckpt";
    {
        LiveTraining training(testDevice(), all);
        training.start();
        ASSERT_TRUE(eventually([&] { return !training.state().problem.empty(); }));
        ASSERT_TRUE(becomes(training, SessionPhase::paused));
        training.start();  // it cannot go on
        training.saveCheckpoint(other);
        training.saveSplats(scratch.path() / "last.ply");
        ASSERT_TRUE(eventually([&] { return std::filesystem::exists(scratch.path() / "last.ply"); }));
        ASSERT_TRUE(becomes(training, SessionPhase::paused));
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
    SessionOptions all = observed(60);
    all.settings.lrSh0 = 1e60;
    LiveTraining training(testDevice(), all);
    training.start();
    ASSERT_TRUE(eventually([&] { return training.state().problem.find("diverged") != std::string::npos; }));
    training.restart(growing(8));
    training.start();
    ASSERT_TRUE(becomes(training, SessionPhase::finished)) << training.state().problem;
    EXPECT_EQ(training.state().problem, "");
    EXPECT_EQ(diary.ends, std::vector<uint32_t>{8});
    EXPECT_EQ(readCheckpoint(checkpoint).value<uint32_t>("step"), 8u);
}

TEST_F(LiveRecord, ADatasetThatIsNotThereFailsWithoutATrainer) {
    SessionOptions wrong = observed(3);
    wrong.data = scratch.path() / "nothing";
    LiveTraining training(testDevice(), wrong);
    ASSERT_TRUE(becomes(training, SessionPhase::failed));
    EXPECT_FALSE(diary.hadTrainer);
    EXPECT_NE(diary.problem.find("nothing"), std::string::npos);
}

}  // namespace
}  // namespace splat
