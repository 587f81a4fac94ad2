#include <splatwright/train/session/report.h>

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include "../scene/scratch.h"
#include "../support/file_size_limit.h"

namespace splat {
namespace {

RunSummary someRun() {
    RunSummary run;
    run.evaluation = {.views = {{"a.png", 20, 0.5}, {"b.png", 30, 0.7}}, .psnr = 25, .ssim = 0.6};
    run.costs = {.steps = 100,
                 .stepsHere = 60,
                 .seconds = 2,
                 .hostMicroseconds = 720,
                 .waitsInSteps = 0,
                 .pacingWaits = 3,
                 .repeatedSteps = 4,
                 .stages = {{"blend", 30, 60}, {"loss", 15, 60}, {"update", 0, 0}}};
    run.splats = 1000;
    run.trainingViews = 7;
    run.totalSeconds = 3;
    run.resumedFrom = {40};
    run.peakDeviceBytes = 3 << 20;
    run.device = "a device";
    run.version = "1.2.3";
    return run;
}

TEST(Report, MetricsHaveTheKeysOfTheContract) {
    const auto json = toJson(someRun());
    EXPECT_EQ(json["psnr"], 25);
    EXPECT_EQ(json["ssim"], 0.6);
    EXPECT_EQ(json["views"][1]["name"], "b.png");
    EXPECT_EQ(json["views"][1]["psnr"], 30);
    EXPECT_EQ(json["views"][1]["ssim"], 0.7);
    EXPECT_EQ(json["steps"], 100);
    EXPECT_EQ(json["splats"], 1000);
    EXPECT_EQ(json["training_views"], 7);
    EXPECT_EQ(json["train_seconds"], 2);
    EXPECT_EQ(json["total_seconds"], 3);
    EXPECT_EQ(json["peak_device_mib"], 3);
    EXPECT_EQ(json["stages"]["loss"], 0.25);
    EXPECT_TRUE(json["stages"]["update"].is_null()) << "no step was timed";
    EXPECT_EQ(json["host_us_per_step"], 12);
    EXPECT_EQ(json["waits_in_steps"], 0);
    EXPECT_EQ(json["pacing_waits"], 3);
    EXPECT_EQ(json["repeated_steps"], 4);
    EXPECT_EQ(json["resumed_from"], (std::vector<int>{40}));
    EXPECT_EQ(json["device"], "a device");
    EXPECT_EQ(json["version"], "1.2.3");
    EXPECT_EQ(json["settings"]["steps"], 30000);
}

TEST(Report, AccumulationIsReportedIfItIsChosenAutomatically) {
    RunSummary run = someRun();
    EXPECT_FALSE(toJson(run).contains("accumulation"));
    run.settings.accumulate = kAutomatic;
    EXPECT_EQ(toJson(run)["accumulation"].size(), 0u);
    const AccumulationMethod subtile{&accumulationByName("subtile")}, serial{&accumulationByName("serial"), 3};
    run.costs.accumulations = {{33, subtile, 0.5, serial, 0.75}, {2045, serial, 0.25, subtile, 0.5, true}};
    const auto json = toJson(run)["accumulation"];
    EXPECT_EQ(json[0], (nlohmann::ordered_json{
                           {"step", 33}, {"method", "subtile"}, {"ms", 0.5}, {"next", "serial from 3/8 of the lanes"}, {"next_ms", 0.75}}));
    EXPECT_EQ(json[1]["method"], "serial");
    EXPECT_EQ(json[1]["threshold"], 3);
    EXPECT_EQ(json[1]["step"], 2045);
}

TEST(Report, WhatWasNotMeasuredIsNull) {
    RunSummary run = someRun();
    run.evaluation = {};
    const auto json = toJson(run);
    EXPECT_TRUE(json["psnr"].is_null());
    EXPECT_TRUE(json["ssim"].is_null());
    EXPECT_EQ(json["views"].size(), 0u);
}

TEST(Report, LpipsIsReportedIfItWasComputed) {
    EXPECT_FALSE(toJson(someRun()).contains("lpips"));
    Evaluation evaluation = someRun().evaluation;
    EXPECT_FALSE(toJson(evaluation)["views"][0].contains("lpips"));
    evaluation.lpips = 0.25;
    evaluation.views[0].lpips = 0.125;
    evaluation.views[1].lpips = std::numeric_limits<double>::quiet_NaN();
    const auto json = toJson(evaluation);
    EXPECT_EQ(json["lpips"], 0.25);
    EXPECT_EQ(json["views"][0]["lpips"], 0.125);
    EXPECT_TRUE(json["views"][1]["lpips"].is_null());
}

TEST(Report, EqualPicturesAreNullAndNotInfinite) {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto json = toJson(Evaluation{.views = {{"a", infinity, 1}}, .psnr = infinity, .ssim = 1});
    EXPECT_TRUE(json["psnr"].is_null());
    EXPECT_TRUE(json["views"][0]["psnr"].is_null());
    EXPECT_EQ(json["ssim"], 1);
}

TEST(Report, LogLinesReachTheFileAtOnce) {
    const test::Scratch scratch;
    const std::filesystem::path path = scratch.path() / "log.jsonl";
    TrainingLog log(path);
    log.write({.step = 100, .loss = 0.5, .splats = 7, .millisecondsPerStep = 1.5});
    EXPECT_EQ(readTextFile(path), "{\"step\":100,\"loss\":0.5,\"splats\":7,\"ms_per_step\":1.5}\n");
    log.write({.step = 200, .loss = std::numeric_limits<double>::quiet_NaN(), .splats = 7, .millisecondsPerStep = 1.5, .psnr = 20.5});
    EXPECT_TRUE(readTextFile(path).ends_with("{\"step\":200,\"loss\":null,\"splats\":7,\"ms_per_step\":1.5,\"psnr\":20.5}\n"));
}

TEST(Report, LogLinesHaveTheTermsOfTheLoss) {
    const test::Scratch scratch;
    const std::filesystem::path path = scratch.path() / "log.jsonl";
    TrainingLog log(path);
    const double bad = std::numeric_limits<double>::infinity();
    log.write({.step = 100, .loss = 0.5, .splats = 7, .millisecondsPerStep = 1.5, .losses = {{"l1", 0.75, 0.5}, {"dssim", 0.25, bad}}});
    EXPECT_EQ(readTextFile(path),
              "{\"step\":100,\"loss\":0.5,\"splats\":7,\"ms_per_step\":1.5,\"losses\":{\"l1\":{\"weight\":0.75,\"value\":0.5},"
              "\"dssim\":{\"weight\":0.25,\"value\":null}}}\n");
}

TEST(Report, LogLinesHaveTheHealthOfTheModelWhereItWasMeasured) {
    const test::Scratch scratch;
    const std::filesystem::path path = scratch.path() / "log.jsonl";
    TrainingLog log(path);
    LogLine line{.step = 100, .loss = 0.5, .splats = 7, .millisecondsPerStep = 1.5};
    line.health = HealthSample{.step = 100, .model = {0.5, 0.25, 0.125, 0.75}, .relativeError = 0.375};
    log.write(line);
    line.health->relativeError.reset();
    log.write(line);
    const std::string figures = "\"mean_opacity\":0.5,\"dead_share\":0.25,\"fading_share\":0.125,\"large_share\":0.75}\n";
    const std::string begin = "{\"step\":100,\"loss\":0.5,\"splats\":7,\"ms_per_step\":1.5,";
    EXPECT_EQ(readTextFile(path), begin + "\"relative_error\":0.375," + figures + begin + figures);
}

TEST(Report, LogGoesOnFromAStep) {
    const test::Scratch scratch;
    const std::string lines = "{\"step\":100,\"loss\":0.5}\n{\"step\":200,\"loss\":null}\n";
    const auto path = scratch.write("log.jsonl", lines + "{\"step\":300}\n{\"step\":40");
    EXPECT_EQ(logUntil(path, {.steps = 299}), lines);
    EXPECT_EQ(logUntil(scratch.path() / "none.jsonl", {.steps = 299}), "");
    TrainingLog log(path, logUntil(path, {.steps = 299}));
    log.write({.step = 300, .loss = 0.25, .splats = 7, .millisecondsPerStep = 1.5});
    EXPECT_EQ(readTextFile(path), lines + "{\"step\":300,\"loss\":0.25,\"splats\":7,\"ms_per_step\":1.5}\n");
}

/// A limit of file sizes cuts a line in two, as a full disk does.
TEST(Report, LogLinesThatAFullDiskCannotTakeFollowWhenItCan) {
    const test::Scratch scratch;
    const std::filesystem::path path = scratch.path() / "log.jsonl";
    TrainingLog log(path);
    {
        const test::FileSizeLimit limit(80);
        for (const uint32_t step : {1u, 2u, 3u}) log.write({.step = step, .loss = 0.5, .splats = 7, .millisecondsPerStep = 1.5});
        EXPECT_THROW(log.finish(), Error);
        EXPECT_EQ(std::filesystem::file_size(path), 80u);
    }
    EXPECT_NO_THROW(log.finish());
    std::string expected;
    for (const int step : {1, 2, 3}) expected += fmt::format("{{\"step\":{},\"loss\":0.5,\"splats\":7,\"ms_per_step\":1.5}}\n", step);
    EXPECT_EQ(readTextFile(path), expected);
}

/// Of a run that was rolled back, and of one that continues from before or after that.
TEST(Report, LogOfARollBackIsKeptUpToThePositionOfTheRun) {
    const test::Scratch scratch;
    const std::string before = "{\"step\":100}\n", abandoned = "{\"step\":200}\n", turn = "{\"step\":200,\"rolled_back_to\":100}\n",
                      after = "{\"step\":200,\"loss\":1}\n", later = "{\"step\":300}\n";
    const auto path = scratch.write("log.jsonl", before + abandoned + turn + after + later);
    EXPECT_EQ(logUntil(path, {.steps = 150}), before);
    EXPECT_EQ(logUntil(path, {.steps = 150, .rollbacks = 1}), before + abandoned + turn);
    EXPECT_EQ(logUntil(path, {.steps = 200, .rollbacks = 1}), before + abandoned + turn + after);
    EXPECT_EQ(logUntil(path, {.steps = UINT32_MAX, .rollbacks = SIZE_MAX}), readTextFile(path));
    TrainingLog log(scratch.path() / "new.jsonl");
    LogLine line{.step = 200, .loss = 0.5, .splats = 7, .millisecondsPerStep = 1.5, .problem = "collapses"};
    line.rolledBackTo = 100;
    log.write(line);
    EXPECT_EQ(readTextFile(scratch.path() / "new.jsonl"),
              "{\"step\":200,\"loss\":0.5,\"splats\":7,\"ms_per_step\":1.5,\"problem\":\"collapses\",\"rolled_back_to\":100}\n");
}

TEST(Report, ACompleteRunSaysIfItsRendersAreHardlyBetterThanFlatPictures) {
    RunSummary run = someRun();
    const auto flat = [&](double first, double second) {
        run.evaluation.views[0].flatPsnr = first;
        run.evaluation.views[1].flatPsnr = second;
        run.evaluation.flatPsnr = (first + second) / 2;
        return toJson(run);
    };
    run.settings.steps = 100;
    EXPECT_FALSE(toJson(run).contains("flat_psnr") || toJson(run).contains("warning"));
    EXPECT_FALSE(flat(20, 24).contains("warning"));
    EXPECT_EQ(flat(20, 24)["flat_psnr"], 22);
    EXPECT_NE(flat(20, 24.1)["warning"].get<std::string>().find("25.00 dB against 22.05 dB"), std::string::npos);
    EXPECT_FALSE(flat(16, 41).contains("warning")) << "only the first image counts, with 20 dB";
    EXPECT_TRUE(flat(18, 41).contains("warning"));
    EXPECT_FALSE(flat(41, 42).contains("warning"));
    run.settings.steps = 101;
    EXPECT_FALSE(flat(20, 24.1).contains("warning")) << "it was stopped";
    run.rollbacks = {{.from = 1500, .to = 1000, .rateScale = 0.5, .problem = "collapses"}};
    EXPECT_EQ(toJson(run)["rollbacks"][0]["from"], 1500);
    EXPECT_EQ(toJson(run)["rollbacks"][0]["to"], 1000);
    EXPECT_EQ(rollbacksOf(toJson(run)["rollbacks"])[0].problem, "collapses");
}

TEST(Report, LogThatCannotBeWrittenNamesItsPath) {
    try {
        TrainingLog log("/dev/null/log.jsonl");
        FAIL() << "a log below a device";
    } catch (const Error& problem) {
        EXPECT_NE(std::string(problem.what()).find("/dev/null/log.jsonl"), std::string::npos);
    }
}

}  // namespace
}  // namespace splat
