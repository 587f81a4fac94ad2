#include <splatwright/primitives/bench.h>

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
    for (const char* bench : {"sort-32", "scan", "compact", "cdf-build", "cdf-draw"}) EXPECT_TRUE(benches.contains(bench)) << bench;
}

TEST(Bench, AWrongResultIsNotTimed) {
    const BenchRow row = measure(testDevice(), {}, {.bench = "none", .variant = "wrong", .n = 1},
                                 {.prepare = [](gpu::Commands&) {}, .work = [](gpu::Commands&) {}, .verify = [] { return false; }});
    EXPECT_FALSE(row.verified);
    EXPECT_EQ(row.max_ms, 0);
}

}  // namespace
}  // namespace splat::primitives
