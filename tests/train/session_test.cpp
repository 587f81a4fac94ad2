// A training session on the caller's thread, as the command line and users of the library run it.
#include <splatwright/train/session/session.h>

#include <chrono>
#include <thread>
#include <type_traits>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/session/resume.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/train/session/session_data.h>
#include <splatwright/train/session/session_stops.h>
#include <splatwright/train/settings/passes.h>
#include "live_fixture.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// Calls a function after each step, and keeps what else it is told.
struct Watcher : SessionObserver {
    void onLoading(Split split, size_t done, size_t total) override {
        if (done == total) loaded.emplace_back(split, total);
    }
    void onStep(const StepReport& report, double) override {
        steps.push_back(report.step);
        losses.push_back(report.loss);
        if (afterStep) afterStep(report.step);
    }
    void onEvaluation(uint32_t step, const Evaluation&) override { evaluations.push_back(step); }
    void onSplats(uint32_t, const fs::path& file) override { files.push_back(file); }
    void onCheckpoint(uint32_t step, const fs::path& file) override {
        files.push_back(file);
        checkpoints.push_back(step);
    }
    void onProblem(const std::string& problem) override { problems.push_back(problem); }
    void onEnd(const RunSummary& summary) override { ends.push_back(summary.costs.steps); }
    void onRescue(const SavedFiles& rescued) override { saved = rescued; }

    std::function<void(uint32_t)> afterStep;
    std::vector<std::pair<Split, size_t>> loaded;
    std::vector<uint32_t> steps, evaluations, checkpoints, ends;
    std::vector<double> losses;
    std::vector<fs::path> files;
    std::vector<std::string> problems;
    std::optional<SavedFiles> saved;
};

struct Session : Live {
    Watcher watcher;
    fs::path folder = scratch.path() / "run";

    SessionOptions watched(const TrainSettings& settings) {
        SessionOptions all = options(settings);
        all.folder = folder;
        all.observer = &watcher;
        return all;
    }
    static TrainSettings exact(uint32_t steps) {
        TrainSettings settings = growing(steps);
        settings.deterministic = true;
        settings.accumulate = "fixed-point";
        return settings;
    }
    /// Runs a session that fails; returns the problem.
    std::string problemOf(TrainingSession& session) {
        try {
            session.run();
        } catch (const Error& problem) {
            return problem.what();
        }
        return "";
    }
};

TEST_F(Session, RunsFromDatasetToFiles) {
    SessionOptions all = watched(growing(20));
    all.evaluateAt = {7};
    TrainingSession session(testDevice(), all);
    const auto summary = session.run();
    ASSERT_TRUE(summary);
    EXPECT_TRUE(summary->complete());
    EXPECT_EQ(summary->evaluation.views.size(), 2u);
    EXPECT_EQ(summary->splats, session.splats().count());
    EXPECT_EQ(watcher.loaded, (std::vector<std::pair<Split, size_t>>{{Split::train, 7}, {Split::test, 2}}));
    EXPECT_EQ(watcher.steps.size(), 20u);
    EXPECT_EQ(watcher.evaluations, (std::vector<uint32_t>{7, 20}));
    EXPECT_EQ(watcher.ends, std::vector<uint32_t>{20});
    EXPECT_EQ(watcher.files, (std::vector<fs::path>{folder / kSplatsFile, folder / kCheckpointFile}));
    for (const char* file : {kSplatsFile, kMetricsFile, kLogFile, kStripFile, kCheckpointFile})
        EXPECT_TRUE(fs::exists(folder / file)) << file;
    EXPECT_EQ(readPly(folder / kSplatsFile).means, session.splats().means);
}

TEST_F(Session, WithoutAFolderItWritesNothing) {
    SessionOptions all = options(growing(5));
    all.dataset = loadDataset(data);
    all.data = scratch.path() / "not read again";
    TrainingSession session(testDevice(), all);
    const auto summary = session.run();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->splats, session.splats().count());
    EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), {}), 1);  // the dataset
}

TEST_F(Session, RendersFromACameraOfTheDataset) {
    TrainingSession session(testDevice(), options(growing(15)));
    const auto summary = session.run();
    ASSERT_TRUE(summary);
    ASSERT_EQ(summary->evaluation.views.size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
        const auto photograph = session.viewImage(7 + i);  // after those for training
        ASSERT_TRUE(photograph);
        EXPECT_EQ(photograph->name, summary->evaluation.views[i].name);
        // Into the training frame and out of it, cameras lose their last bits.
        EXPECT_NEAR(psnr(session.render(photograph->camera), photograph->image), summary->evaluation.views[i].psnr, 0.01);
    }
}

TEST_F(Session, AStoppedRunResumesToTheSameSplats) {
    TrainingSession whole(testDevice(), options(exact(40)));
    ASSERT_TRUE(whole.run());
    {
        TrainingSession stopped(testDevice(), watched(exact(40)));
        watcher.afterStep = [&](uint32_t step) {
            if (step == 9) stopped.stop();
        };
        const auto summary = stopped.run();
        ASSERT_TRUE(summary);
        EXPECT_FALSE(summary->complete());
        EXPECT_GE(summary->costs.steps, 9u);
        EXPECT_FALSE(fs::exists(folder / kStripFile));
        EXPECT_EQ(watcher.checkpoints, std::vector<uint32_t>{summary->costs.steps});
    }
    watcher.afterStep = {};
    SessionOptions further = watched(exact(40));
    further.resume = folder / kCheckpointFile;
    TrainingSession resumed(testDevice(), further);
    const auto summary = resumed.run();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->resumedFrom.size(), 1u);
    EXPECT_EQ(resumed.splats().means, whole.splats().means);
    EXPECT_EQ(resumed.splats().sh, whole.splats().sh);
}

/// The dataset has seven training views.
TEST_F(Session, PassesOverTheViewsLimitItsStepsAlsoWhenResumedOrChanged) {
    TrainSettings settings = exact(40);
    settings.maxPasses = 3;
    settings.minSteps = 10;
    TrainingSession direct(testDevice(), options(withinPasses(settings, 7)));
    ASSERT_TRUE(direct.run());
    {
        TrainingSession stopped(testDevice(), watched(settings));
        watcher.afterStep = [&](uint32_t step) {
            if (step == 9) stopped.stop();
        };
        const auto summary = stopped.run();
        ASSERT_TRUE(summary);
        EXPECT_FALSE(summary->complete());
        EXPECT_EQ(summary->trainingViews, 7u);
    }
    watcher.afterStep = {};
    SessionOptions further = watched(settings);
    further.resume = folder / kCheckpointFile;
    TrainingSession resumed(testDevice(), further);
    TrainSettings other = settings;
    other.logEvery = 5;
    resumed.change(other);
    other.steps = 60;
    other.minSteps = 11;
    resumed.change(other);
    const auto summary = resumed.run();
    ASSERT_TRUE(summary);
    EXPECT_TRUE(summary->complete());
    EXPECT_EQ(summary->costs.steps, 21u);
    EXPECT_EQ(summary->settings.logEvery, 5u);
    ASSERT_EQ(watcher.problems.size(), 1u);
    EXPECT_NE(watcher.problems[0].find("max_passes=3 allows 21"), std::string::npos) << watcher.problems[0];
    EXPECT_EQ(resumed.splats().means, direct.splats().means);
    EXPECT_EQ(resumed.splats().sh, direct.splats().sh);
}

/// Seven views of 48x36 pixels.
TEST_F(Session, KeepsItsSplatsWithinThePixelsOfItsImages) {
    TrainSettings settings = growing(40);
    settings.initCount = 700;
    settings.maxSplats = 4000;
    settings.splatPixels = 7 * 48 * 36 / 1500.0;
    TrainingSession session(testDevice(), options(settings));
    const auto summary = session.run();
    ASSERT_TRUE(summary);
    EXPECT_EQ(session.splats().count(), 1500u);
    EXPECT_EQ(summary->settings.maxSplats, 4000u) << "as given";
}

TEST_F(Session, MembersThatAProgramLeavesAreTheStrategys) {
    TrainSettings members;
    members.strategy = "mcmc";
    members.steps = 1;
    members.init = "random";
    members.initCount = 50;
    TrainingSession session(testDevice(), options(members));
    const auto summary = session.run();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->settings.noiseLr, defaultsOf("mcmc").noiseLr);
    EXPECT_EQ(summary->settings.initOpacity, defaultsOf("mcmc").initOpacity);
    EXPECT_EQ(summary->settings.initCount, 50u);
}

TEST_F(Session, StepsThatAChangeAsksForRunAboveTheLimitOfPasses) {
    TrainSettings settings = exact(40);
    settings.maxPasses = 1;
    settings.minSteps = 1;
    TrainingSession session(testDevice(), watched(settings));
    TrainSettings shown = withinPasses(settings, 7);  // as a viewer hands it back
    shown.logEvery = 5;
    session.change(shown);
    shown.steps = 12;
    session.change(shown);
    const auto summary = session.run();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->costs.steps, 12u);
    EXPECT_EQ(summary->settings.densifyUntil, withinPasses(settings, 7).densifyUntil) << "phases stay";
    EXPECT_TRUE(watcher.problems.empty());
}

/// A run that nobody lets make a step leaves what was there before.
TEST_F(Session, AStopBeforeTheFirstStepWritesNothing) {
    scratch.write("run/splats.ply", "an earlier run's");
    SessionOptions all = watched(growing(40));
    all.overwrite = true;
    {
        TrainingSession session(testDevice(), all);
        session.stop();
        EXPECT_FALSE(session.run());
    }
    EXPECT_EQ(readTextFile(folder / kSplatsFile), "an earlier run's");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
    EXPECT_TRUE(watcher.ends.empty());
}

TEST_F(Session, FoldersOfOtherRunsAreRefused) {
    scratch.write("run/splats.ply", "an earlier run's");
    EXPECT_THROW(TrainingSession(testDevice(), watched(growing(4))), InputError);
    SessionOptions all = watched(growing(4));
    all.overwrite = true;
    const TrainingSession first(testDevice(), all);
    EXPECT_THROW(TrainingSession(testDevice(), all), InputError);  // it is locked
}

TEST_F(Session, ExecutesCommandsBetweenSteps) {
    TrainingSession session(testDevice(), watched(growing(30)));
    TrainSettings longer = growing(34), refused = growing(30);
    refused.seed = 7;
    watcher.afterStep = [&](uint32_t step) {
        if (step != 3) return;
        session.change(longer);
        session.change(refused);
        session.evaluate();
        session.saveSplats(scratch.path() / "at 3.ply");
        session.saveSplats(scratch.path() / "no" / "folder.ply");
        session.saveCheckpoint(scratch.path() / "at 3.splat-ckpt");
        session.pause();
        session.step();
        session.start();
    };
    const auto summary = session.run();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->costs.steps, 34u);
    ASSERT_EQ(watcher.problems.size(), 2u);
    EXPECT_NE(watcher.problems[0].find("seed"), std::string::npos);
    EXPECT_NE(watcher.problems[1].find("folder.ply"), std::string::npos);
    ASSERT_EQ(watcher.evaluations.size(), 2u);
    EXPECT_LT(watcher.evaluations[0], 30u);
    EXPECT_EQ(readCheckpoint(scratch.path() / "at 3.splat-ckpt").value<uint32_t>("step"), watcher.evaluations[0]);
    EXPECT_TRUE(fs::exists(scratch.path() / "at 3.ply"));
    EXPECT_EQ(session.pending(), 0u);
}

TEST_F(Session, AFailureLeavesSplatsAndTheLastCheckpoint) {
    TrainSettings settings = growing(40);
    settings.checkpointEvery = 5;
    TrainingSession session(testDevice(), watched(settings));
    watcher.afterStep = [](uint32_t step) {
        if (step == 12) throw Error("the observer has had enough");
    };
    EXPECT_EQ(problemOf(session), "the observer has had enough");
    ASSERT_TRUE(watcher.saved);
    EXPECT_EQ(watcher.saved->checkpointStep, 10u);
    EXPECT_EQ(readCheckpoint(watcher.saved->checkpoint).value<uint32_t>("step"), 10u);
    ASSERT_TRUE(watcher.saved->splatsStep);
    EXPECT_GE(*watcher.saved->splatsStep, 12u);
    EXPECT_EQ(watcher.saved->splats, folder / kSplatsFile);
    EXPECT_GT(readPly(watcher.saved->splats).count(), 0u);
    EXPECT_FALSE(fs::exists(folder / kMetricsFile));
    EXPECT_TRUE(watcher.ends.empty());
}

TEST_F(Session, ADivergedRunLeavesTheSplatsOfTheLastCheckpoint) {
    TrainSettings settings = growing(60);
    settings.strategy = "fixed";
    settings.checkpointEvery = 7;
    settings.lrMeansFinal = 1e100;
    TrainingSession session(testDevice(), watched(settings));
    EXPECT_NE(problemOf(session).find("diverged"), std::string::npos);
    ASSERT_TRUE(watcher.saved);
    EXPECT_EQ(watcher.saved->checkpointStep, watcher.steps.back() / 7 * 7);
    EXPECT_EQ(watcher.saved->splatsStep, watcher.saved->checkpointStep);
    EXPECT_NO_THROW(readPly(folder / kSplatsFile));
}

/// As on a disk that is full for a while: only the last checkpoint must succeed.
TEST_F(Session, ACheckpointThatCannotBeWrittenIsReportedAndTrainingContinues) {
    TrainSettings settings = growing(20);
    settings.checkpointEvery = 5;
    for (const bool served : {false, true}) {
        watcher = {};
        SessionOptions all = watched(settings);
        all.folder = scratch.path() / (served ? "served" : "run");
        TrainingSession session(testDevice(), all);
        watcher.afterStep = [&](uint32_t step) {
            if (step == 2) fs::create_directories(all.folder / kCheckpointFile);  // after an earlier run's files were removed
            if (step == 12) fs::remove(all.folder / kCheckpointFile);
            if (step == 20) session.stop();
        };
        if (served) session.start();
        served ? session.serve() : void(session.run());
        ASSERT_EQ(watcher.problems.size(), 2u) << "after steps 5 and 10";
        EXPECT_NE(watcher.problems[0].find(kCheckpointFile), std::string::npos);
        EXPECT_NE(watcher.problems[0].find("training continues"), std::string::npos);
        EXPECT_EQ(watcher.ends, std::vector<uint32_t>{20});
        EXPECT_EQ(readCheckpoint(all.folder / kCheckpointFile).value<uint32_t>("step"), 20u);
    }
}

TEST_F(Session, TheLastCheckpointMustBeWritten) {
    TrainSettings settings = growing(20);
    settings.checkpointEvery = 5;
    for (const uint32_t last : {14u, 20u}) {  // stopped, complete
        watcher = {};
        SessionOptions all = watched(settings);
        all.folder = scratch.path() / fmt::format("until{}", last);
        const fs::path kept = all.folder / "kept";
        TrainingSession session(testDevice(), all);
        watcher.afterStep = [&](uint32_t step) {
            if (step == 12) {  // a folder in its place makes writing fail
                const fs::path file = all.folder / kCheckpointFile;
                while (!fs::exists(file) || readCheckpoint(file).value<uint32_t>("step") < 10)
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                fs::rename(file, kept);
                fs::create_directories(file);
            }
            if (step == last) session.stop();
        };
        EXPECT_NE(problemOf(session).find(kCheckpointFile), std::string::npos);
        EXPECT_TRUE(watcher.ends.empty());
        ASSERT_TRUE(watcher.saved);
        EXPECT_EQ(watcher.saved->splatsStep, session.stepsDone());
        EXPECT_EQ(watcher.saved->checkpointStep, 10u);
        EXPECT_EQ(readCheckpoint(kept).value<uint32_t>("step"), 10u);
    }
}

// Photographs are held once: a copy of all of them does not compile, and their pixels leave the host for the trainer.
static_assert(!std::is_copy_constructible_v<TrainingData> && !std::is_copy_assignable_v<TrainingData>);
static_assert(std::is_move_constructible_v<TrainingData>);

TEST_F(Session, HoldsTrainingImagesOnceAndGivesThemBack) {
    const Dataset dataset = loadDataset(data);
    for (const uint32_t memory : {0u, 1024u}) {
        TrainSettings settings = growing(5);
        settings.imageMemory = memory;
        const TrainingData wanted = loadTrainingData(dataset, settings);
        SessionData held(testDevice());
        SessionObserver nobody;
        held.load(dataset, settings, {}, nobody);
        EXPECT_EQ(held.targets().resident(), memory > 0);
        for (size_t i = 0; i < wanted.train.size(); ++i) {
            EXPECT_EQ(held.data().train[i].image.pixels.capacity(), 0u) << i;
            EXPECT_EQ(held.viewImage(i)->image.pixels, wanted.train[i].image.pixels) << i;
        }
        EXPECT_EQ(held.viewImage(wanted.train.size())->image.pixels, wanted.test[0].image.pixels);
        EXPECT_FALSE(held.viewImage(wanted.train.size() + wanted.test.size()));
    }
}

TEST_F(Session, TrainViewsAreSpreadEvenlyAndTestViewsStay) {
    const Dataset dataset = loadDataset(data);
    const auto namesOf = [](const std::vector<Photograph>& photographs) {
        std::vector<std::string> names;
        for (const Photograph& p : photographs) names.push_back(p.name);
        return names;
    };
    TrainSettings settings = growing(5);
    const TrainingData all = loadTrainingData(dataset, settings);
    const auto names = namesOf(all.train);
    ASSERT_EQ(names.size(), 7u);
    const std::pair<uint32_t, std::vector<std::string>> wanted[] = {
        {1, {names[3]}}, {2, {names[1], names[5]}}, {3, {names[1], names[3], names[5]}}, {7, names}, {100, names}};
    for (const auto& [count, chosen] : wanted) {
        settings.trainViews = count;
        const TrainingData few = loadTrainingData(dataset, settings);
        EXPECT_EQ(namesOf(few.train), chosen) << count;
        EXPECT_EQ(namesOf(few.test), namesOf(all.test)) << count;
    }
}

/// Without reading or sending images again: the same targets serve one trainer after another.
TEST_F(Session, ARestartTrainsToTheSameScoresOnTheSameImages) {
    for (const uint32_t memory : {0u, 1024u}) {
        watcher = {};
        TrainSettings settings = exact(12);
        settings.imageMemory = memory;
        SessionOptions all = options(settings);
        all.observer = &watcher;
        TrainingSession session(testDevice(), all);
        int runs = 0;
        watcher.afterStep = [&](uint32_t step) {
            if (step < 12) return;
            if (++runs == 2) return session.stop();
            session.restart(settings);
            session.start();
        };
        session.start();
        session.serve();
        EXPECT_EQ(watcher.loaded.size(), 2u);  // each split once
        ASSERT_EQ(watcher.losses.size(), 24u);
        for (size_t i = 0; i < 12; ++i) EXPECT_EQ(watcher.losses[i], watcher.losses[i + 12]) << i;
    }
}

TEST(SessionStops, ComeInOrderAndEachOnce) {
    TrainSettings settings;
    settings.steps = 30;
    settings.checkpointEvery = 12;
    const SessionStops stops{.evaluateAt = {5, 12, 40}, .captureStep = 20, .checkpoints = true};
    std::vector<uint32_t> found;
    for (uint32_t done = 0; done < settings.steps; found.push_back(done)) done = stops.next(done, settings, 26);
    EXPECT_EQ(found, (std::vector<uint32_t>{5, 12, 19, 24, 26, 30}));
    EXPECT_TRUE(stops.evaluatesAfter(5, settings));
    EXPECT_TRUE(stops.evaluatesAfter(30, settings));
    EXPECT_FALSE(stops.evaluatesAfter(24, settings));
    EXPECT_TRUE(stops.savesAfter(24, settings));
    EXPECT_FALSE(stops.savesAfter(30, settings));
    EXPECT_FALSE(SessionStops{}.savesAfter(24, settings));
}

TEST(SessionStops, EveryThousandStepsTheWatchCopiesTheState) {
    TrainSettings settings;
    settings.steps = 2500;
    for (const bool watch : {true, false}) {
        settings.watch = watch;
        std::vector<uint32_t> found;
        for (uint32_t done = 0; done < settings.steps; found.push_back(done)) done = SessionStops{}.next(done, settings, 0);
        EXPECT_EQ(found, watch ? (std::vector<uint32_t>{1000, 2000, 2500}) : std::vector<uint32_t>{2500});
        EXPECT_EQ(SessionStops::copiesAfter(2000, settings), watch);
        EXPECT_FALSE(SessionStops::copiesAfter(1999, settings));
    }
}

}  // namespace
}  // namespace splat
