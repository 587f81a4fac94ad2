// Tables and charts of `bench`.
#include "commands/bench/bench_page.h"

#include <gtest/gtest.h>

namespace splat::app {
namespace {

const std::vector<primitives::BenchRow> kRows{
    {.bench = "sort", .variant = "slow", .n = 32, .median_ms = 0.5, .verified = true},
    {.bench = "sort", .variant = "fast", .n = 32, .median_ms = 0.25, .verified = true},
    {.bench = "scan", .variant = "one", .n = 7, .verified = false},
    {.bench = "sort", .variant = "fast", .n = 1000, .median_ms = 2, .verified = true},
    {.bench = "sort", .variant = "slow", .n = 1000, .skipped = true, .note = "not run: too <slow>"},
};

TEST(BenchPage, TablesHaveARowPerSizeAndAColumnPerVariant) {
    const auto tables = benchTables(kRows);
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_EQ(tables[0].header, (std::vector<std::string>{"n", "slow", "fast"}));
    EXPECT_EQ(tables[0].rows, (std::vector<std::vector<std::string>>{{"32", "0.5", "0.25"}, {"1000", "-", "2"}}));
    EXPECT_EQ(tables[1].rows, (std::vector<std::vector<std::string>>{{"7", "wrong"}}));
}

TEST(BenchPage, ChartsShowOnlyWhatWasVerified) {
    const auto charts = benchCharts(kRows);
    ASSERT_EQ(charts.size(), 2u);
    ASSERT_EQ(charts[0].lines.size(), 2u);
    EXPECT_EQ(charts[0].lines[0].points, (std::vector<std::pair<double, double>>{{32, 0.5}}));
    EXPECT_EQ(charts[0].lines[1].points, (std::vector<std::pair<double, double>>{{32, 0.25}, {1000, 2}}));
    EXPECT_TRUE(charts[1].lines[0].points.empty());
}

TEST(BenchPage, NamesTheMachineAndWhatWasNotRun) {
    const std::string page = benchPage(kRows, {"Machine: abacus"});
    for (const char* part :
         {"Machine: abacus", "sort slow, 1000 items: not run: too &lt;slow&gt;", "<h2>Time over number of items</h2>", "<svg"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace splat::app
