// The test of the photographs' colours before training: what it decides, and that a run, its files and a resumed run follow it.
#include <splatwright/train/session/colour_test.h>

#include <algorithm>
#include <memory>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/parts/colour_change_settings.h>
#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/train/session/session.h>
#include <splatwright/train/step/trainer.h>
#include "live_fixture.h"

namespace splat {
namespace {

using namespace test;
using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

const ColourTest kDiffer{.photographs = 20, .difference = 0.0612, .act = true};
const ColourTest kAlike{.photographs = 20, .difference = 0.0123, .act = false};
const ColourTest kUnknown{.photographs = 7, .difference = {}, .act = false};

std::vector<std::string> textsOf(TrainSettings settings) {
    std::vector<std::string> texts;
    for (const SettingField& field : settingFields(settings)) texts.push_back(settingText(field));
    return texts;
}

TrainSettings asking(bool test = true) {
    TrainSettings settings;
    settings.of<ColourChangeSettings>().test = test;
    return settings;
}

TEST(ColourTest, TurnsOnGridsThatActFromTheFirstStep) {
    const TrainSettings found = withColourTest(asking(), kDiffer);
    TrainSettings expected = asking();
    expected.of<ColourGridSettings>().colourGrid = true;
    expected.of<ColourChangeSettings>().least = 0;
    EXPECT_EQ(textsOf(found), textsOf(expected)) << "and nothing else";
    EXPECT_EQ(textsOf(withColourTest(found, kDiffer)), textsOf(found)) << "twice";
}

TEST(ColourTest, ChangesNothingWherePhotographsAreAlikeOrItIsNotAskedFor) {
    for (const auto& test : {std::optional<ColourTest>(), std::optional(kAlike), std::optional(kUnknown)})
        EXPECT_EQ(textsOf(withColourTest(asking(), test)), textsOf(asking()));
    EXPECT_EQ(textsOf(withColourTest(asking(false), kDiffer)), textsOf(asking(false)));
    TrainSettings exposures = asking();
    exposures.of<ExposureSettings>().exposure = true;
    EXPECT_EQ(textsOf(withColourTest(exposures, kDiffer)), textsOf(exposures)) << "exposures correct colours already";
}

TEST(ColourTest, IsAskedForUnlessColoursAreCorrectedAnyway) {
    EXPECT_TRUE(asksForColourTest(asking()));
    EXPECT_FALSE(asksForColourTest(asking(false)));
    EXPECT_FALSE(asksForColourTest(withColourTest(asking(), kDiffer)));
    TrainSettings exposures = asking();
    exposures.of<ExposureSettings>().exposure = true;
    EXPECT_FALSE(asksForColourTest(exposures));
}

TEST(ColourTest, IsSaidInPlainWords) {
    EXPECT_EQ(textOf(kDiffer),
              "the photographs differ by 6.1 %: a colour grid per photograph compensates (`colour_test=false` trains without)");
    EXPECT_EQ(textOf(kAlike), "the photographs differ by 1.2 %, less than 4 %: nothing compensates (`colour_grid=true` does)");
    EXPECT_EQ(textOf(kUnknown), "the photographs are not compared: 7 of them show enough points with colours, expected at least 10");
}

TEST(ColourTest, ComesBackFromAHeaderAsItWas) {
    for (const ColourTest& test : {kDiffer, kAlike, kUnknown}) EXPECT_EQ(colourTestIn({{"colours", toJson(test)}}), test);
    EXPECT_FALSE(colourTestIn({{"step", 3}}));
    for (const json& damaged : {json(7), json("yes"), json{{"act", true}}, json{{"photographs", 3}, {"difference", "x"}, {"act", true}}})
        EXPECT_FALSE(colourTestIn({{"colours", damaged}})) << damaged;
}

/// Twelve views of a garden, of which ten are for training.
struct ColourTestRuns : testing::Test, SessionObserver {
    static void SetUpTestSuite() {
        datasets = std::make_unique<Scratch>();
        for (const float strength : {0.0f, 0.6f})
            writeSynthDataset(data(strength), {.views = 12, .width = 48, .height = 36, .seed = 3, .colourChanges = strength});
    }
    static void TearDownTestSuite() { datasets.reset(); }
    static fs::path data(float strength) { return datasets->path() / (strength > 0 ? "differ" : "alike"); }

    static TrainSettings settings(bool test = true) {
        TrainSettings settings = asking(test);
        settings.hasStrategyDefaults = true;
        settings.strategy = "fixed";
        settings.initCount = 500;
        settings.maxSplats = 500;
        settings.steps = 4;
        settings.checkpointEvery = 0;
        settings.deterministic = true;
        settings.accumulate = "fixed-point";
        settings.of<ColourGridSettings>().gridSize = 4;
        return settings;
    }
    void onStart(uint32_t, const TrainSettings& settings) override { started = settings; }
    void onStep(const StepReport& report, double) override {
        if (report.step == stopAfter) session_->stop();
    }
    RunSummary run(const SessionOptions& options) {
        TrainingSession session(testDevice(), options);
        session_ = &session;
        return session.run().value();
    }
    RunSummary run(float strength, const TrainSettings& settings, const std::string& folder, const fs::path& resume = {}) {
        return run({.data = data(strength),
                    .settings = settings,
                    .folder = scratch.path() / folder,
                    .resume = resume,
                    .queueAhead = 1,
                    .observer = this,
                    .version = "test"});
    }
    json metrics(const std::string& folder) const {
        return parseOrderedJson(readTextFile(scratch.path() / folder / kMetricsFile), "metrics");
    }
    Checkpoint checkpoint(const std::string& folder) const { return readCheckpoint(scratch.path() / folder / kCheckpointFile); }
    bool hasGrids(const std::string& folder) const {
        return std::ranges::any_of(checkpoint(folder).sections,
                                   [](const CheckpointSection& s) { return s.name.starts_with("colour_grid"); });
    }
    std::string splats(const std::string& folder) const { return readTextFile(scratch.path() / folder / kSplatsFile); }

    static inline std::unique_ptr<Scratch> datasets;  ///< of all tests
    Scratch scratch;
    TrainSettings started;
    uint32_t stopAfter = 0;
    TrainingSession* session_ = nullptr;
};

TEST_F(ColourTestRuns, TrainGridsWherePhotographsDiffer) {
    const RunSummary summary = run(0.6f, settings(), "differ run");
    ASSERT_TRUE(summary.colourTest);
    EXPECT_TRUE(summary.colourTest->act);
    EXPECT_EQ(summary.colourTest->photographs, 10u);
    EXPECT_GT(summary.colourTest->difference.value_or(0), 0.05);
    EXPECT_TRUE(started.of<ColourGridSettings>().colourGrid);
    EXPECT_EQ(started.of<ColourChangeSettings>().least, 0);
    EXPECT_TRUE(hasGrids("differ run"));
    const json found = metrics("differ run");
    EXPECT_EQ(found["colours"], toJson(*summary.colourTest));
    EXPECT_EQ(found["settings"]["colour_grid"], false) << "as given, so that they give this run again";
    EXPECT_EQ(found["settings"]["colour_test"], true);
    run(0.6f, settings(false), "without");
    EXPECT_NE(splats("without"), splats("differ run"));
}

TEST_F(ColourTestRuns, LeaveNoTraceWherePhotographsAreAlikeOrHaveNoPoints) {
    const RunSummary summary = run(0, settings(), "alike run");
    ASSERT_TRUE(summary.colourTest);
    EXPECT_FALSE(summary.colourTest->act);
    EXPECT_LT(summary.colourTest->difference.value_or(1), 0.01);
    EXPECT_FALSE(hasGrids("alike run"));
    const RunSummary without = run(0, settings(false), "without");
    EXPECT_FALSE(without.colourTest);
    EXPECT_FALSE(metrics("without").contains("colours"));
    EXPECT_EQ(splats("alike run"), splats("without"));

    TrainSettings random = settings();
    random.init = "random";
    const RunSummary unknown = run({.data = data(0.6f), .reading = {.format = "transforms"}, .settings = random});
    EXPECT_EQ(unknown.colourTest, (ColourTest{.photographs = 0, .difference = {}, .act = false}));
}

/// Even if the photographs are others by then.
TEST_F(ColourTestRuns, AResumedRunKeepsTheDecisionToTheSameBytes) {
    run(0.6f, settings(), "whole");
    stopAfter = 2;
    EXPECT_FALSE(run(0.6f, settings(), "part").complete());
    stopAfter = 0;
    const fs::path part = scratch.path() / "part" / kCheckpointFile;
    EXPECT_EQ(colourTestIn(readCheckpoint(part).header), colourTestIn(checkpoint("whole").header));
    const RunSummary resumed = run(0.6f, settings(), "resumed", part);
    EXPECT_TRUE(resumed.complete());
    EXPECT_EQ(splats("resumed"), splats("whole"));
    EXPECT_EQ(metrics("resumed")["colours"], metrics("whole")["colours"]);
    EXPECT_TRUE(run(0, settings(), "others", part).colourTest->act);
    EXPECT_TRUE(hasGrids("others"));
}

TEST_F(ColourTestRuns, ARestartThatAsksForTheTestMeasuresAndAChangeTurnsGridsOff) {
    TrainingSession session(testDevice(), {.data = data(0.6f), .settings = settings(false), .observer = this, .version = "test"});
    std::vector<bool> grids;
    std::thread commands([&] {
        session.restart(settings());
        session.inspect([&](const Trainer&) { grids.push_back(started.of<ColourGridSettings>().colourGrid); });
        session.step();
        TrainSettings off = settings(false);
        off.of<ColourChangeSettings>().least = 0;
        session.change(off);
        session.step();
        session.inspect([&](const Trainer& trainer) { grids.push_back(trainer.settings().of<ColourGridSettings>().colourGrid); });
        eventually([&] { return session.pending() == 0; });
        session.stop();
    });
    session.serve();
    commands.join();
    EXPECT_EQ(grids, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace splat
