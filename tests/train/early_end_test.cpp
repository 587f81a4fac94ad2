// Sessions whose growth ends early: training them makes the views that are withheld worse.
#include <algorithm>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/train/session/session.h>
#include <splatwright/train/session/training_data.h>
#include <splatwright/train/settings/passes.h>
#include <splatwright/train/step/view_order.h>
#include <splatwright/train/step/withheld_views.h>
#include "live_fixture.h"

namespace splat {
namespace {

using namespace test;
using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// 28 views of an object, of which 24 are for training. Growth lasts 45 steps of 60, and is scored before every third refinement.
struct EarlyEnd : testing::Test, SessionObserver {
    EarlyEnd() { writeSynthDataset(data, {.scene = "object", .views = 28, .width = 32, .height = 24}); }

    static TrainSettings settings() {
        TrainSettings settings = Live::growing(60);
        settings.densifyUntil = 45;
        settings.densifyInterval = 1;
        settings.withhold = 12;
        settings.initOpacity = 0.01;  // the first renders are dark
        settings.maxSplats = 400;
        settings.logEvery = 1;
        settings.checkpointEvery = 0;
        settings.deterministic = true;
        settings.accumulate = "fixed-point";
        return settings;
    }
    /// Replaces the photographs of the withheld views.
    void paintWithheld(const std::function<void(Image8&)>& paint) {
        const TrainingData loaded = loadTrainingData(loadDataset(data), settings());
        for (const size_t view : withheldViews(settings(), loaded.train.size())) {
            const fs::path file = data / "images" / loaded.train[view].name;
            Image8 image = readImage(file);
            paint(image);
            writePng(file, image);
        }
    }
    /// The more a model shows of the object, the worse these are.
    void blacken() {
        paintWithheld([](Image8& image) { std::ranges::fill(image.pixels, uint8_t{0}); });
    }

    void onStep(const StepReport& report, double) override {
        reports.push_back(report);
        if (afterStep) afterStep(report.step);
    }
    void onChange(const TrainSettings& settings) override { changes.push_back(settings); }
    void onEnd(const RunSummary&) override { trainersSeconds = session_->costs().seconds; }
    void onProblem(const std::string& problem) override { problems.push_back(problem); }

    SessionOptions options(const TrainSettings& settings, const std::string& folder = "run") {
        return {
            .data = data, .settings = settings, .folder = scratch.path() / folder, .queueAhead = 1, .observer = this, .version = "test"};
    }
    RunSummary run(const SessionOptions& options) {
        reports.clear();
        changes.clear();
        TrainingSession session(testDevice(), options);
        session_ = &session;
        return session.run().value();
    }
    json metrics(const std::string& folder = "run") const {
        return parseOrderedJson(readTextFile(scratch.path() / folder / kMetricsFile), "metrics");
    }
    /// Steps of the log in the order of its lines, and the one that it goes back to below 0.
    std::vector<int> logged(const std::string& folder) const {
        std::vector<int> steps;
        std::istringstream log(readTextFile(scratch.path() / folder / kLogFile));
        for (std::string line; std::getline(log, line);) {
            const json object = parseOrderedJson(line, "log");
            steps.push_back(object.contains("rolled_back_to") ? -object["rolled_back_to"].get<int>() : object["step"].get<int>());
        }
        return steps;
    }
    void expectSameFiles(const std::string& folder, const std::string& expected) const {
        EXPECT_EQ(readTextFile(scratch.path() / folder / kSplatsFile), readTextFile(scratch.path() / expected / kSplatsFile));
        const Checkpoint a = readCheckpoint(scratch.path() / folder / kCheckpointFile);
        const Checkpoint b = readCheckpoint(scratch.path() / expected / kCheckpointFile);
        EXPECT_EQ(a.header.at("growth"), b.header.at("growth"));
        EXPECT_EQ(a.header.at("settings"), b.header.at("settings"));
        ASSERT_EQ(a.sections.size(), b.sections.size());
        for (size_t i = 0; i < a.sections.size(); ++i) EXPECT_EQ(a.sections[i].bytes, b.sections[i].bytes) << a.sections[i].name;
        EXPECT_EQ(metrics(folder)["growth"], metrics(expected)["growth"]);
        EXPECT_EQ(logged(folder), logged(expected));
    }

    Scratch scratch;
    fs::path data = scratch.path() / "data";
    std::function<void(uint32_t)> afterStep;
    std::vector<StepReport> reports;
    std::vector<TrainSettings> changes;
    std::vector<std::string> problems;
    double trainersSeconds = 0;
    TrainingSession* session_ = nullptr;
};

TEST_F(EarlyEnd, GoesBackToTheBestStateAndTrainsTheFinalPhaseFromThere) {
    blacken();
    const RunSummary summary = run(options(settings()));
    EXPECT_TRUE(summary.complete());
    EXPECT_EQ(summary.growth.endedAt, 2u) << "the first score is the best";
    EXPECT_EQ(summary.growth.withheldViews, 2u);
    ASSERT_EQ(summary.growth.scores.size(), 6u);
    EXPECT_EQ(summary.costs.steps, 17u) << "2 of growth and the last 15 of 60";
    ASSERT_EQ(reports.size(), 32u) << "17 until it is seen, and 15 more";
    EXPECT_EQ(reports[16].step, 17u);
    EXPECT_EQ(reports[17].step, 3u);
    for (const StepReport& report : reports) EXPECT_LE(report.gaussians, 400u);
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].densifyUntil, 2u);
    EXPECT_EQ(changes[0].steps, 17u);
    EXPECT_EQ(summary.evaluation.views.size(), 4u) << "the last step is evaluated, whichever it is";
}

TEST_F(EarlyEnd, AllViewsAreTrainedInTheFinalPhaseAndNoWithheldOneBefore) {
    blacken();
    run(options(settings()));
    const std::vector<size_t> withheld = withheldViews(settings(), 24);
    ASSERT_EQ(withheld.size(), 2u);
    for (size_t i = 0; i < 17; ++i) EXPECT_EQ(std::ranges::count(withheld, reports[i].view), 0) << i;
    ViewOrder order(24, settings().seed, withheld, 2);
    for (size_t i = 17; i < reports.size(); ++i) EXPECT_EQ(reports[i].view, order[reports[i].step - 1]) << i;
}

TEST_F(EarlyEnd, TheRunsFilesHaveTheGivenSettingsAndTheDecision) {
    blacken();
    run(options(settings()));
    const json found = metrics();
    EXPECT_EQ(found["steps"], 17);
    EXPECT_EQ(found["settings"]["steps"], 60) << "as given, so that they give this run again";
    EXPECT_EQ(found["settings"]["densify_until"], 45);
    EXPECT_EQ(found["growth"]["withheld_views"], 2);
    EXPECT_EQ(found["growth"]["ended_at"], 2);
    ASSERT_EQ(found["growth"]["scores"].size(), 6u);
    EXPECT_EQ(found["growth"]["scores"][5]["step"], 17);
    EXPECT_EQ(found["growth"]["scores"][5]["splats"], reports[16].gaussians);
    for (const json& score : found["growth"]["scores"]) {
        const auto views = score["views"].get<std::vector<double>>();
        ASSERT_EQ(views.size(), 2u);
        EXPECT_NE(views[0], views[1]) << "which lie on either side of the object";
        EXPECT_EQ(score["psnr"], (views[0] + views[1]) / 2);
    }
    EXPECT_GT(found["growth"]["scores"][0]["psnr"].get<double>(), found["growth"]["scores"][5]["psnr"].get<double>());
    std::vector<int> expected;
    for (int step = 1; step <= 17; ++step) expected.push_back(step);
    expected.push_back(-2);
    for (int step = 3; step <= 17; ++step) expected.push_back(step);
    EXPECT_EQ(logged("run"), expected);
    EXPECT_NE(readTextFile(scratch.path() / "run" / kLogFile).find("growth ends at step 2 with "), std::string::npos);
    EXPECT_FALSE(readCheckpoint(scratch.path() / "run" / kCheckpointFile).header.contains("best"));
}

/// Stopped before the first score, between two, where the end is decided, and in the final phase.
TEST_F(EarlyEnd, AResumedRunEndsGrowthAlikeToTheSameBytes) {
    blacken();
    run(options(settings(), "whole"));
    run(options(settings(), "again"));
    expectSameFiles("again", "whole");
    for (const size_t stop : {1u, 2u, 7u, 17u, 22u}) {
        SCOPED_TRACE(stop);
        const std::string folder = "stopped" + std::to_string(stop);
        SessionOptions all = options(settings(), folder);
        afterStep = [&](uint32_t) {
            if (reports.size() == stop) session_->stop();
        };
        EXPECT_FALSE(run(all).complete());
        afterStep = nullptr;
        all.resume = all.folder / kCheckpointFile;
        const RunSummary summary = run(all);
        EXPECT_TRUE(summary.complete());
        EXPECT_EQ(summary.growth.endedAt, 2u);
        EXPECT_EQ(summary.costs.steps, 17u);
        expectSameFiles(folder, "whole");
    }
}

TEST_F(EarlyEnd, GrowthThatHelpsGoesOnWithoutATrace) {
    TrainSettings asked = settings();
    asked.growthGain = 0.01;  // three steps gain less than three hundred do
    const RunSummary summary = run(options(asked));
    EXPECT_FALSE(summary.growth.endedAt);
    EXPECT_EQ(summary.growth.scores.size(), 14u);
    EXPECT_EQ(summary.costs.steps, 60u);
    EXPECT_TRUE(changes.empty());
    EXPECT_TRUE(metrics()["growth"]["ended_at"].is_null());
    EXPECT_GT(summary.costs.seconds, trainersSeconds) << "scoring takes time, too";
    EXPECT_EQ(summary.costs.waitsInSteps, 0u) << "nothing is read back inside a step";
    const std::vector<size_t> withheld = withheldViews(settings(), 24);
    for (const StepReport& report : reports) EXPECT_TRUE(report.step > 45 || std::ranges::count(withheld, report.view) == 0) << report.step;
}

/// Their photographs are darker: an exposure of their own would say so, but they have none before the final phase.
TEST_F(EarlyEnd, ExposuresThatAreNotTrainedYetDoNotDecide) {
    paintWithheld([](Image8& image) {
        for (size_t i = 0; i < image.pixels.size(); ++i)
            if (i % 4 != 3) image.pixels[i] = static_cast<uint8_t>(image.pixels[i] / 3);  // but the alpha
    });
    TrainSettings plain = settings();
    plain.growthGain = 0;
    TrainSettings exposed = plain;
    exposed.of<ExposureSettings>().exposure = true;
    EXPECT_TRUE(run(options(plain, "plain")).growth.endedAt) << "the model becomes too bright for them";
    EXPECT_FALSE(run(options(exposed, "exposed")).growth.endedAt);
}

TEST_F(EarlyEnd, FewViewsAreAllTrained) {
    blacken();
    TrainSettings few = settings();
    few.trainViews = 23;
    const RunSummary summary = run(options(few));
    EXPECT_FALSE(summary.growth.endedAt);
    EXPECT_EQ(summary.growth.withheldViews, 0u);
    EXPECT_EQ(metrics()["growth"]["withheld_views"], 0);
    std::set<size_t> trained;
    for (size_t i = 0; i < 23; ++i) trained.insert(reports[i].view);
    EXPECT_EQ(trained.size(), 23u);
}

/// As a viewer does: it hands back the settings that it was shown.
TEST_F(EarlyEnd, AChangedNumberOfStepsAfterItHolds) {
    blacken();
    afterStep = [&](uint32_t step) {
        if (changes.empty() || step != 6) return;
        afterStep = nullptr;
        TrainSettings refused = changes[0];
        refused.densifyUntil = 30;
        session_->change(refused);
        TrainSettings longer = changes[0];
        longer.steps = 25;
        session_->change(longer);
    };
    const RunSummary summary = run(options(settings()));
    EXPECT_EQ(summary.costs.steps, 25u);
    EXPECT_TRUE(summary.complete());
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_NE(problems[0].find("densify_until is 30, expected at most 2, where growth has ended"), std::string::npos) << problems[0];
}

/// What a smaller maximum allows now, the best state may exceed.
TEST_F(EarlyEnd, AChangeBeforeItForgetsTheBestState) {
    blacken();
    afterStep = [&](uint32_t step) {
        if (step != 10) return;
        afterStep = nullptr;
        TrainSettings other = settings();
        other.maxSplats = 500;
        session_->change(other);
    };
    const RunSummary summary = run(options(settings()));
    ASSERT_TRUE(summary.growth.endedAt);
    EXPECT_GT(*summary.growth.endedAt, 10u);
    EXPECT_GE(summary.growth.scores.size(), 6u);
    EXPECT_EQ(summary.costs.steps, *summary.growth.endedAt + 15);
}

}  // namespace
}  // namespace splat
