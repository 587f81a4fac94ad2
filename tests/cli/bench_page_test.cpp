// Tables and charts of `bench`.
#include "commands/bench/bench_page.h"

#include <gtest/gtest.h>

#include "commands/bench/benchmarks.h"

namespace splat::app {
namespace {

using Points = std::vector<std::pair<double, double>>;

const std::vector<primitives::BenchRow> kRows{
    {.bench = "sort", .variant = "slow", .n = 32, .median_ms = 0.5, .min_ms = 0.5, .max_ms = 0.5, .verified = true},
    {.bench = "sort", .variant = "fast", .n = 32, .median_ms = 0.25, .min_ms = 0.2, .max_ms = 0.5, .verified = true},
    {.bench = "scan", .variant = "one", .n = 7, .verified = false},
    {.bench = "sort", .variant = "fast", .n = 1000, .median_ms = 2, .min_ms = 1, .max_ms = 4, .verified = true},
    {.bench = "sort", .variant = "slow", .n = 1000, .skipped = true, .note = "not run: too <slow>"},
    {.bench = "forward", .variant = "picture", .n = 9, .median_ms = 3, .min_ms = 2, .max_ms = 5, .verified = true, .subject = "left"},
};

/// A row of the accumulation of a view.
primitives::BenchRow accumulation(const char* method, double milliseconds, const char* view = "left") {
    return {.bench = "backward",
            .variant = method,
            .n = 50,
            .median_ms = milliseconds,
            .min_ms = milliseconds / 2,
            .max_ms = milliseconds * 2,
            .verified = true,
            .subject = view};
}

/// Labels and values.
std::vector<std::pair<std::string, double>> barsOf(const BarChart& chart) {
    std::vector<std::pair<std::string, double>> bars;
    for (const Bar& bar : chart.bars) bars.emplace_back(bar.label, bar.value);
    return bars;
}

TEST(BenchPage, NoBenchmarkHasTheNameOfACommand) {
    for (const Benchmark& benchmark : benchmarks())
        EXPECT_TRUE(benchmark.name != "train" && benchmark.name != "accumulate") << benchmark.name;
}

TEST(BenchPage, LinesOfWhatWasSkippedOrWrongHaveNoTimes) {
    EXPECT_EQ(benchLine(kRows[1]),
              "sort             fast                           32     0.2500    0.2000    0.5000         0.1  yes       \n");
    EXPECT_EQ(benchLine(kRows[2]),
              "scan             one                             7          -         -         -           -  NO        \n");
    EXPECT_EQ(
        benchLine(kRows[4]),
        "sort             slow                         1000          -         -         -           -  -         not run: too <slow>\n");
}

TEST(BenchPage, TablesHaveARowPerSizeAndAColumnPerVariant) {
    const auto tables = benchTables(kRows);
    ASSERT_EQ(tables.size(), 3u);
    EXPECT_EQ(tables[0].header, (std::vector<std::string>{"n", "slow", "fast"}));
    EXPECT_EQ(tables[0].rows,
              (std::vector<std::vector<std::string>>{{"32", "0.5 [0.5, 0.5]", "0.25 [0.2, 0.5]"}, {"1000", "-", "2 [1, 4]"}}));
    EXPECT_EQ(tables[1].rows, (std::vector<std::vector<std::string>>{{"7", "wrong"}}));
}

TEST(BenchPage, TablesOfSubjectsHaveARowPerVariantAndAColumnPerSubject) {
    const auto tables = benchTables(std::vector{accumulation("new", 2), accumulation("atomic", 4), accumulation("atomic", 1, "right")});
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(tables[0].header, (std::vector<std::string>{"", "left", "right"}));
    EXPECT_EQ(tables[0].rows, (std::vector<std::vector<std::string>>{{"new", "2 [1, 4]", "-"}, {"atomic", "4 [2, 8]", "1 [0.5, 2]"}}));
}

TEST(BenchPage, ChartsShowOnlyWhatWasVerified) {
    const auto charts = timeCharts(kRows);
    ASSERT_EQ(charts.size(), 2u) << "subjects have no sizes";
    ASSERT_EQ(charts[0].lines.size(), 2u);
    EXPECT_EQ(charts[0].lines[0].points, (Points{{32, 0.5}}));
    EXPECT_EQ(charts[0].lines[1].points, (Points{{32, 0.25}, {1000, 2}}));
    EXPECT_TRUE(charts[1].lines[0].points.empty());
}

TEST(BenchPage, ThroughputIsMillionsOfItemsPerSecond) {
    const auto charts = throughputCharts(kRows);
    ASSERT_EQ(charts.size(), 2u);
    EXPECT_EQ(charts[0].lines[1].points, (Points{{32, 0.128}, {1000, 0.5}}));
}

TEST(BenchPage, LostWeightsArePercentages) {
    EXPECT_TRUE(lossCharts(kRows).empty());
    std::vector<primitives::BenchRow> rows;
    for (const auto& [variant, n, lost] : {std::tuple("exact", 50, 0), {"floats", 50, 10}, {"exact", 200, 0}, {"floats", 200, 80}}) {
        rows.push_back({.bench = "cdf", .variant = variant, .n = static_cast<uint32_t>(n), .verified = true});
        rows.back().neverDrawn = lost;
    }
    rows.push_back({.bench = "cdf", .variant = "wrong", .n = 50});
    rows.back().neverDrawn = 1;
    const auto charts = lossCharts(rows);
    ASSERT_EQ(charts.size(), 1u);
    ASSERT_EQ(charts[0].lines.size(), 2u);
    EXPECT_EQ(charts[0].lines[0].name, "cdf exact");
    EXPECT_EQ(charts[0].lines[0].points, (Points{{50, 0}, {200, 0}}));
    EXPECT_EQ(charts[0].lines[1].points, (Points{{50, 20}, {200, 40}}));
}

TEST(BenchPage, SortsAreComparedAtTheLargestSizeWithTheSlowest) {
    auto rows = kRows;
    rows[4] = {.bench = "sort", .variant = "slow", .n = 1000, .median_ms = 8, .min_ms = 8, .max_ms = 8, .verified = true};
    const auto charts = speedUpCharts(rows);
    ASSERT_EQ(charts.size(), 1u);
    EXPECT_EQ(charts[0].title, "sort, 1000 items");
    EXPECT_EQ(charts[0].unit, "times as fast as slow");
    EXPECT_EQ(barsOf(charts[0]), (std::vector<std::pair<std::string, double>>{{"fast", 4}, {"slow", 1}}));
    EXPECT_EQ(charts[0].bars[0].low, 2);
    EXPECT_EQ(charts[0].bars[0].high, 8);
}

TEST(BenchPage, AccumulationIsComparedWithAtomicOrElseTheSlowest) {
    std::vector<primitives::BenchRow> rows{accumulation("new", 2), accumulation("atomic", 4), accumulation("worst", 8),
                                           accumulation("new", 1, "right"), accumulation("worst", 3, "right")};
    rows.push_back(accumulation("atomic", 0, "right"));
    rows.back().skipped = true;
    const auto charts = speedUpCharts(rows);
    ASSERT_EQ(charts.size(), 2u) << "one per view";
    EXPECT_EQ(charts[0].unit, "times as fast as atomic");
    EXPECT_EQ(barsOf(charts[0]), (std::vector<std::pair<std::string, double>>{{"new", 2}, {"atomic", 1}, {"worst", 0.5}}));
    EXPECT_EQ(charts[1].unit, "times as fast as worst");
    EXPECT_EQ(barsOf(charts[1]), (std::vector<std::pair<std::string, double>>{{"new", 3}, {"worst", 1}}));
}

TEST(BenchPage, StagesAreBarsOfMilliseconds) {
    auto rows = kRows;
    for (const char* stage : {"whole", "blend"})
        rows.push_back({.bench = "step", .variant = stage, .n = 9, .median_ms = 1.5, .verified = true, .subject = "2 views"});
    const auto charts = stageCharts(rows);
    ASSERT_EQ(charts.size(), 2u);
    EXPECT_EQ(barsOf(charts[0]), (std::vector<std::pair<std::string, double>>{{"left", 3}}));
    EXPECT_EQ(charts[1].title, "step, 2 views");
    EXPECT_EQ(barsOf(charts[1]), (std::vector<std::pair<std::string, double>>{{"whole", 1.5}, {"blend", 1.5}}));
}

TEST(BenchPage, NamesTheMachineAndWhatWasNotRun) {
    const std::string page = benchPage(kRows, {"Machine: abacus"});
    for (const char* part : {"Machine: abacus", "sort slow, 1000 items: not run: too &lt;slow&gt;", "<h2>Time over number of items</h2>",
                             "<h2>Throughput over number of items</h2>", "<h2>Pictures and training steps</h2>", "<svg"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace splat::app
