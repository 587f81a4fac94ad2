// Whether a training has collapsed, from series of samples.
#include <splatwright/train/watch/collapse_detector.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/rng.h>

namespace splat {
namespace {

constexpr double kPruneOpacity = 0.005;

/// What a sample at a step is like.
using Course = std::function<HealthSample(double step)>;

HealthSample sampleOf(double error, ModelHealth model = {.meanOpacity = 0.3, .deadShare = 0.02, .fadingShare = 0.02, .largeShare = 0.001}) {
    return {.step = 0, .model = model, .relativeError = error};
}

/// Falls as errors of a training do: fast, then slowly.
double usualError(double step) { return 0.08 + 0.6 * std::exp(-step / 400) + 0.1 * std::exp(-step / 4000); }

/// The step at which the detector says that the training has collapsed; 0: it does not until the last step.
uint32_t collapsesAt(const Course& course, uint32_t steps, double pruneOpacity = kPruneOpacity, double noise = 0.1) {
    CollapseDetector detector(pruneOpacity);
    Rng rng(7);
    for (uint32_t step = 100; step <= steps; step += 100) {
        HealthSample sample = course(step);
        sample.step = step;
        if (sample.relativeError) *sample.relativeError *= 1 + noise * (2 * rng.uniform() - 1);
        if (const auto seen = detector.add(sample)) return step;
    }
    return 0;
}

/// Linear between the points, constant before and after them.
double along(const std::vector<std::pair<double, double>>& points, double x) {
    if (x <= points.front().first) return points.front().second;
    for (size_t i = 1; i < points.size(); ++i) {
        const auto [x0, y0] = points[i - 1];
        const auto [x1, y1] = points[i];
        if (x <= x1) return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
    }
    return points.back().second;
}

TEST(CollapseDetector, LetsATrainingThatLearnsBe) {
    EXPECT_EQ(collapsesAt([](double step) { return sampleOf(usualError(step)); }, 30'000), 0u);
    EXPECT_EQ(collapsesAt([](double step) { return sampleOf(0.5 + usualError(step)); }, 30'000), 0u)
        << "of photographs that are hard to fit";
    EXPECT_EQ(collapsesAt([](double step) { return sampleOf(0.1 * usualError(step)); }, 30'000, kPruneOpacity, 0.5), 0u) << "noisy";
}

/// Images are black after a reset, and opacities recover within a few hundred steps (preset gsplat).
TEST(CollapseDetector, LetsOpacityResetsBe) {
    const auto course = [](double step) {
        const double since = step >= 3000 && step < 15'200 ? std::fmod(step - 1, 3000) : 3000;  // a reset comes after its step's sample
        const double faded = std::exp(-since / 120);
        return sampleOf(usualError(step) + 1.2 * faded, {.meanOpacity = 0.3 - 0.29 * faded, .deadShare = 0.05, .fadingShare = faded});
    };
    EXPECT_EQ(collapsesAt(course, 30'000), 0u);
}

/// Opacities are low everywhere, and half of the Gaussians are dead at the end, but the renders are good.
TEST(CollapseDetector, LetsModelsBeWhoseRendersAreGood) {
    const auto course = [](double step) {
        return sampleOf(usualError(step), {.meanOpacity = along({{0, 0.1}, {20'000, 0.004}}, step),
                                           .deadShare = along({{15'000, 0.02}, {30'000, 0.6}}, step),
                                           .largeShare = 0.2});
    };
    EXPECT_EQ(collapsesAt(course, 30'000), 0u);
}

TEST(CollapseDetector, LetsASlowStartBe) {
    const auto course = [](double step) { return sampleOf(std::max(0.3, 1.6 - 0.0004 * step)); };
    EXPECT_EQ(collapsesAt(course, 10'000, kPruneOpacity, 0), 0u);
}

/// The known case: mcmc on the shared scene can.
TEST(CollapseDetector, NoticesOpacitiesThatFadeTogetherBeforeTheRendersAreFlat) {
    const auto course = [](double step) {
        const double opacity = along({{2000, 0.073}, {10'000, 0.0186}, {12'700, 0.0098}, {13'200, 0.0019}}, step);
        const double loss = along({{500, 0.1}, {3000, 0.03}, {9900, 0.02}, {13'000, 0.1}, {15'000, 0.15}}, step);
        return sampleOf(loss / 0.15, {.meanOpacity = opacity, .deadShare = 0.1, .fadingShare = 0.3});
    };
    const uint32_t found = collapsesAt(course, 30'000, kPruneOpacity, 0.05);
    EXPECT_GT(found, 10'500u);
    EXPECT_LE(found, 12'200u) << "a thousand steps before the collapse is complete";
}

TEST(CollapseDetector, NoticesWithinFiveHundredSteps) {
    const auto breaksAt = [](double at, HealthSample broken) -> Course {
        return [=](double step) { return step <= at ? sampleOf(usualError(step)) : broken; };
    };
    const ModelHealth sound = sampleOf(0).model;
    ModelHealth faded = sound, dead = sound, large = sound;
    faded.meanOpacity = 0.012;
    dead.deadShare = 0.4;
    large.largeShare = 0.2;
    for (const double at : {2000.0, 3000.0, 20'000.0}) {
        for (const HealthSample& broken : {sampleOf(1.2), sampleOf(0.6), sampleOf(0.4, faded), sampleOf(0.4, dead), sampleOf(0.4, large)}) {
            const uint32_t found = collapsesAt(breaksAt(at, broken), 30'000, kPruneOpacity, 0.02);
            EXPECT_GT(found, at);
            EXPECT_LE(found, at + 500) << *broken.relativeError;
        }
    }
}

/// Rates so large that nothing is ever learned.
TEST(CollapseDetector, NoticesATrainingThatNeverLearns) {
    EXPECT_EQ(collapsesAt([](double) { return sampleOf(2.5); }, 3000, kPruneOpacity, 0), 400u);
    EXPECT_LE(collapsesAt([](double step) { return sampleOf(step <= 100 ? 0.7 : 1.4); }, 3000, kPruneOpacity, 0), 700u);
}

TEST(CollapseDetector, SaysWhatItHasSeenAndTheLimits) {
    CollapseDetector detector(kPruneOpacity);
    std::optional<std::string> seen;
    for (uint32_t i = 0; i < 30 && !seen; ++i) {
        EXPECT_EQ(detector.healthy(), i < 21) << i;
        seen = detector.add(i < 20 ? sampleOf(0.1) : sampleOf(0.9, {.meanOpacity = 0.0021, .deadShare = 0.612, .largeShare = 0.34}));
    }
    ASSERT_TRUE(seen);
    for (const char* part : {"0.90", "9.0 times", "0.0021", "0.015", "61 %", "30 %", "34 %", "10 %"})
        EXPECT_NE(seen->find(part), std::string::npos) << part << " in: " << *seen;
}

TEST(CollapseDetector, IsJudgedAnewAfterARestart) {
    CollapseDetector detector(kPruneOpacity);
    for (int i = 0; i < 20; ++i) detector.add(sampleOf(0.05));
    detector.restart();
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(detector.add(sampleOf(0.4))) << "of larger images";
}

TEST(CollapseDetector, ContinuesFromItsState) {
    const auto sampleAt = [](int i) { return sampleOf(i < 17 ? 0.1 + 0.001 / (i + 1) : 0.9); };
    for (int saved = 0; saved < 20; ++saved) {
        CollapseDetector whole(kPruneOpacity), resumed(kPruneOpacity);
        for (int i = 0; i < saved; ++i) whole.add(sampleAt(i));
        resumed.load(nlohmann::ordered_json::parse(whole.state().dump()));
        EXPECT_EQ(resumed.state(), whole.state());
        for (int i = saved; i < 21; ++i) {
            const auto expected = whole.add(sampleAt(i)), found = resumed.add(sampleAt(i));
            EXPECT_EQ(found, expected);
            EXPECT_EQ(expected.has_value(), i == 20);
        }
    }
}

TEST(CollapseDetector, WithoutErrorsItIsSilent) {
    EXPECT_EQ(collapsesAt([](double) { return HealthSample{.model = {.meanOpacity = 0.001, .deadShare = 0.9}}; }, 10'000), 0u);
}

/// The samples of a log.jsonl. Lines of the attempt that was rolled back are left out.
std::vector<HealthSample> samplesIn(const std::string& log) {
    std::vector<HealthSample> samples;
    std::istringstream lines(log);
    for (std::string text; std::getline(lines, text);) {
        const auto line = nlohmann::json::parse(text);
        if (line.contains("rolled_back_to"))
            std::erase_if(samples, [&](const HealthSample& sample) { return sample.step > line["rolled_back_to"].get<uint32_t>(); });
        if (!line.contains("mean_opacity")) continue;
        HealthSample sample{.step = line["step"],
                            .model = {.meanOpacity = line["mean_opacity"],
                                      .deadShare = line["dead_share"],
                                      .fadingShare = line["fading_share"],
                                      .largeShare = line["large_share"]},
                            .relativeError = {}};
        if (line.contains("relative_error")) sample.relativeError = line["relative_error"].get<double>();
        samples.push_back(sample);
    }
    return samples;
}

/// What the detector says of a log.
std::optional<std::pair<uint32_t, std::string>> judge(const std::string& log, double pruneOpacity) {
    CollapseDetector detector(pruneOpacity);
    for (const HealthSample& sample : samplesIn(log)) {
        if (const auto seen = detector.add(sample)) return std::pair{sample.step, *seen};
    }
    return {};
}

/// Judges a log of this file and, to try other limits on real runs, all runs below the folder SPLAT_RUNS.
TEST(CollapseDetector, JudgesLogs) {
    std::string log;
    for (int i = 1; i <= 30; ++i) {
        const nlohmann::json line{{"step", 100 * i},     {"relative_error", i <= 20 ? 0.1 : 0.7},
                                  {"mean_opacity", 0.2}, {"dead_share", 0.0},
                                  {"fading_share", 0.0}, {"large_share", 0.0}};
        log += line.dump() + "\n{\"step\": 1}\n";
    }
    const auto judged = judge(log, kPruneOpacity);
    ASSERT_TRUE(judged);
    EXPECT_EQ(judged->first, 2400u);
    const char* folder = std::getenv("SPLAT_RUNS");
    if (!folder) return;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const auto metrics = entry.path().parent_path() / "metrics.json";
        if (entry.path().filename() != "log.jsonl" || !exists(metrics)) continue;
        const auto settings = nlohmann::json::parse(readTextFile(metrics))["settings"];
        const auto found = judge(readTextFile(entry.path()), settings["prune_opacity"]);
        GTEST_LOG_(INFO) << entry.path() << ": " << (found ? fmt::format("step {}: {}", found->first, found->second) : "no collapse");
    }
}

}  // namespace
}  // namespace splat
