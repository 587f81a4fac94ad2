#include <splatwright/primitives/bench.h>

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/test_device.h"

namespace splat::primitives {
namespace {

TEST(Bench, VerifiesEveryRowBeforeItTimes) {
    std::vector<BenchRow> rows = benchSort(testDevice(), {5000}, {.runs = 3});
    for (BenchRow& row : benchScan(testDevice(), {5000}, {.runs = 3})) rows.push_back(std::move(row));
    for (BenchRow& row : benchCdf(testDevice(), {5000}, {.runs = 3})) rows.push_back(std::move(row));
    std::set<std::string> benches;
    for (const BenchRow& row : rows) {
        benches.insert(row.bench);
        EXPECT_TRUE(row.verified) << row.bench << ' ' << row.variant;
        EXPECT_LE(row.min_ms, row.median_ms);
        EXPECT_LE(row.median_ms, row.max_ms);
        EXPECT_EQ(row.min_ms > 0, testDevice().has(gpu::Feature::timestamps));
    }
    for (const char* bench :
         {"sort-32", "sort-32-host", "scan", "scan-u64", "compact", "cdf-build", "cdf-spread", "cdf-draw", "cdf-layers", "distinct-draws"})
        EXPECT_TRUE(benches.contains(bench)) << bench;
}

TEST(Bench, SumsOfFloatsLoseSmallWeightsThatExactOnesDraw) {
    for (const BenchRow& row : benchCdf(testDevice(), {50'000}, {.runs = 1})) {
        EXPECT_EQ(row.neverDrawn.has_value(), row.bench == "cdf-build" || row.bench == "cdf-spread") << row.bench;
        if (row.bench != "cdf-spread") continue;
        const uint64_t lost = row.neverDrawn.value_or(0);
        EXPECT_TRUE(row.variant == "exact" ? lost == 0 : lost > row.n / 10) << row.variant << ": " << lost;
    }
}

/// The first number of a note behind the word.
double numberAfter(const std::string& note, const std::string& word) {
    const size_t at = note.find(word);
    return at == std::string::npos ? -1 : std::stod(note.substr(at + word.size()));
}

TEST(Bench, SystematicDrawsAreWithinOneOfTheirMeans) {
    for (const BenchRow& row : benchCdf(testDevice(), {20'000}, {.runs = 1})) {
        if (row.bench != "cdf-draw") continue;
        const double greatest = numberAfter(row.note, "means by ");
        EXPECT_GT(greatest, 0.5) << row.note;
        EXPECT_EQ(greatest <= 1, row.variant == "systematic") << row.note;
    }
}

TEST(Bench, ClassicSortsAreVerifiedForEverySize) {
    const std::vector<BenchRow> rows = benchClassic(testDevice(), {4099, 32, 1}, {.runs = 3, .mostMs = 1e9});
    ASSERT_EQ(rows.size(), 18u);
    EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &BenchRow::n));
    for (const BenchRow& row : rows) {
        EXPECT_TRUE(row.verified && !row.skipped) << row.variant << ", " << row.n << " keys: " << row.note;
        EXPECT_LE(row.min_ms, row.median_ms);
        const bool timed = !row.variant.starts_with("gpu") || testDevice().has(gpu::Feature::timestamps);
        EXPECT_TRUE(row.median_ms > 0 || !timed || row.n < 2) << row.variant << ", " << row.n << " keys";
    }
}

TEST(Bench, ClassicSortsStopWhereARunWouldTakeTooLong) {
    const std::vector<BenchRow> rows = benchClassic(testDevice(), {5000, 70'000, 140'000}, {.runs = 1, .mostMs = 1e-7});
    ASSERT_EQ(rows.size(), 18u);
    for (const BenchRow& row : rows) {
        const bool first = row.n == 5000 && row.variant != "gpu-odd-even";  // which predicts its first size as well
        EXPECT_EQ(row.skipped, !first) << row.variant << ", " << row.n << " keys";
        EXPECT_EQ(row.verified, first) << row.variant << ", " << row.n << " keys";
        EXPECT_EQ(row.note.starts_with("not run: predicted"), row.skipped) << row.note;
        EXPECT_TRUE(!row.skipped || row.median_ms == 0);
    }
}

TEST(Bench, AWrongResultIsNotTimed) {
    const BenchRow row = measure(testDevice(), {}, {.bench = "none", .variant = "wrong", .n = 1},
                                 {.prepare = [](gpu::Commands&) {}, .work = [](gpu::Commands&) {}, .verify = [] { return false; }});
    EXPECT_FALSE(row.verified);
    EXPECT_EQ(row.max_ms, 0);
}

}  // namespace
}  // namespace splat::primitives
