#include <splatwright/train/suite/statistics.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/train/suite/suite_results.h>

namespace splat {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(SuiteStatistics, TheDeviationIsThatOfASample) {
    const Spread spread = spreadOf(std::vector{2.0, 4.0, 9.0});
    EXPECT_EQ(spread.count, 3u);
    EXPECT_DOUBLE_EQ(spread.mean, 5);
    EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(26.0 / 2));
    EXPECT_TRUE(std::isnan(spreadOf(std::vector{2.0}).deviation));
    EXPECT_TRUE(std::isnan(spreadOf({}).mean));
}

/// Tables of Student's t print three decimals.
TEST(SuiteStatistics, BoundsOfStudentsTAreThoseOfTheTables) {
    EXPECT_NEAR(studentBound(1, 0.95), 12.706, 5e-4);
    EXPECT_NEAR(studentBound(2, 0.95), 4.303, 5e-4);
    EXPECT_NEAR(studentBound(4, 0.95), 2.776, 5e-4);
    EXPECT_NEAR(studentBound(9, 0.95), 2.262, 5e-4);
    EXPECT_NEAR(studentBound(30, 0.95), 2.042, 5e-4);
    EXPECT_NEAR(studentBound(1000, 0.95), 1.962, 5e-4);
    EXPECT_NEAR(studentBound(5, 0.99), 4.032, 5e-4);
}

TEST(SuiteStatistics, AnIntervalIsTheMeanAndStudentsTimesTheStandardError) {
    const MeanInterval interval = meanInterval(std::vector{0.1, 0.3, 0.5});
    EXPECT_NEAR(interval.mean, 0.3, 1e-12);
    EXPECT_NEAR(interval.halfWidth, 4.302653 * 0.2 / std::sqrt(3.0), 1e-6);
    EXPECT_FALSE(interval.isClear());
    EXPECT_TRUE(meanInterval(std::vector{1.0, 1.1, 0.9}).isClear());
    EXPECT_TRUE(meanInterval(std::vector{-1.0, -1.1, -0.9}).isClear());
    const MeanInterval single = meanInterval(std::vector{0.7});
    EXPECT_EQ(single.mean, 0.7);
    EXPECT_TRUE(std::isnan(single.halfWidth));
    EXPECT_FALSE(single.isClear()) << "one pair says nothing about its spread";
}

TEST(SuiteStatistics, TheWorstTenthIsOfTheLowestViewsAndAtLeastOne) {
    EXPECT_EQ(meanOfWorstTenth({31, 12, 25}), 12);
    std::vector<double> values;
    for (int i = 0; i < 25; ++i) values.push_back((i * 7) % 25 + 10);
    EXPECT_EQ(meanOfWorstTenth(values), 10.5) << "of 25 views, the two lowest";
    EXPECT_EQ(meanOfWorstTenth({std::numeric_limits<double>::infinity(), 30}), 30);
    EXPECT_TRUE(std::isnan(meanOfWorstTenth({})));
}

TEST(SuiteFigures, AreReadFromMetrics) {
    nlohmann::json metrics{{"psnr", 20.5}, {"ssim", 0.75}, {"splats", 1000}, {"train_seconds", 1.5}, {"peak_device_mib", 64.25}};
    for (const double psnr : {22.0, 19.0, 20.5}) metrics["views"].push_back({{"name", "a"}, {"psnr", psnr}, {"ssim", 0.75}});
    EXPECT_EQ(figuresOf(metrics, "m"), (Figures{20.5, 0.75, 19, 19, 1000, 1.5, 64.25}));
    metrics["views"] = nlohmann::json::array();
    metrics["psnr"] = nullptr;
    const Figures without = figuresOf(metrics, "m");
    for (const size_t figure : {0u, 2u, 3u}) EXPECT_TRUE(std::isnan(without[figure])) << figureTable()[figure].name;
    metrics.erase("splats");
    EXPECT_THROW(figuresOf(metrics, "m"), InputError);
}

Figures withPsnr(double psnr) { return {psnr, 0, 0, psnr - 5, 0, 0, 0}; }

/// Two scenes, presets a and b, three seeds.
SuiteResults results() {
    SuiteResults all({"x", "y"}, {"a", "b"}, {1, 2, 3});
    const double psnr[2][2][3]{{{20, 21, 22}, {20.5, 21.25, 22.75}}, {{30, 29, 31}, {30.25, 29.75, 31.5}}};
    for (size_t scene = 0; scene < 2; ++scene)
        for (size_t preset = 0; preset < 2; ++preset)
            for (size_t seed = 0; seed < 3; ++seed) all.run(scene, preset, seed) = withPsnr(psnr[scene][preset][seed]);
    return all;
}

TEST(SuiteResults, SpreadsAreOverSeeds) {
    const SuiteResults all = results();
    EXPECT_DOUBLE_EQ(all.spread(0, 0, 0).mean, 21);
    EXPECT_DOUBLE_EQ(all.spread(0, 0, 0).deviation, 1);
    EXPECT_DOUBLE_EQ(all.spread(3, 1, 0).mean, 25);
}

/// Per seed the means over scenes are 25, 25, 26.5: their deviation is not that of all values.
TEST(SuiteResults, SpreadsOverScenesAreOfTheMeansPerSeed) {
    const Spread spread = results().spreadOverScenes(0, 0);
    EXPECT_EQ(spread.count, 3u);
    EXPECT_DOUBLE_EQ(spread.mean, 25.5);
    EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(0.75));
}

TEST(SuiteResults, DifferencesArePairedBySeed) {
    const SuiteResults all = results();
    const MeanInterval interval = all.difference(0, 0, 1, 0);  // of 0.5, 0.25, 0.75
    EXPECT_DOUBLE_EQ(interval.mean, 0.5);
    EXPECT_NEAR(interval.halfWidth, 4.302653 * 0.25 / std::sqrt(3.0), 1e-6);
    const MeanInterval over = all.differenceOverScenes(0, 1, 0);  // of 0.375, 0.5, 0.625
    EXPECT_DOUBLE_EQ(over.mean, 0.5);
    EXPECT_NEAR(over.halfWidth, 4.302653 * 0.125 / std::sqrt(3.0), 1e-6);
    EXPECT_DOUBLE_EQ(all.difference(0, 0, 0, 1).mean, -0.5);
}

TEST(SuiteResults, ARunThatIsMissingLeavesOutItsPairsAndItsSeedsMean) {
    SuiteResults all = results();
    all.run(0, 0, 1).reset();
    EXPECT_EQ(all.spread(0, 0, 0).count, 2u);
    EXPECT_EQ(all.spread(0, 1, 0).count, 3u);
    EXPECT_EQ(all.spreadOverScenes(0, 0).count, 2u);
    EXPECT_DOUBLE_EQ(all.spreadOverScenes(0, 0).mean, 25.75);
    EXPECT_EQ(all.difference(0, 0, 1, 0).count, 2u);
    EXPECT_EQ(all.differenceOverScenes(0, 1, 0).count, 2u);
    all.run(1, 1, 0) = withPsnr(kNone);
    EXPECT_EQ(all.spread(0, 1, 1).count, 2u);
    EXPECT_EQ(all.differenceOverScenes(0, 1, 0).count, 1u);
}

}  // namespace
}  // namespace splat
