#include <splatwright/primitives/float_cdf.h>

#include <random>

#include <gtest/gtest.h>

#include "primitives/cdf_reference.h"
#include "support/test_device.h"

namespace splat::primitives {
namespace {

constexpr uint32_t kTile = shared::kCdfTile;
constexpr float kGarbage = -7;

/// The inclusive sums that the two levels stand for.
std::vector<float> sumsOnDevice(const Words& weights, bool countOnGpu, GroupScan variant) {
    gpu::Device& device = testDevice();
    const auto count = static_cast<uint32_t>(weights.size());
    constexpr uint32_t kSpare = 3000;  // weights beyond the count, more than a tile, whose sums must stay as they are
    const FloatCdfTable table = floatCdfTable(device, "cdf", count + kSpare);
    const gpu::Buffer values = device.buffer<uint32_t>("weights", count + kSpare), words = device.buffer<uint32_t>("words", 2);
    Words padded = weights;
    padded.resize(count + kSpare, 1);
    device.upload(values, padded);
    device.upload(words, Words{0, count});
    device.upload(table.sums, std::vector<float>(count + kSpare, kGarbage));
    device.run("cdf", [&](gpu::Commands& c) {
        recordFloatCdf(c, {.weights = values, .table = table, .variant = variant},
                       countOnGpu ? Count{count + kSpare, {words, 1}} : Count{count});
    });
    std::vector<float> sums = device.download<float>(table.sums, count + kSpare);
    const auto starts = device.download<float>(table.tileStarts, table.tileStarts.bytes() / sizeof(float));
    for (uint32_t i = count; i < count + kSpare; ++i) EXPECT_EQ(sums[i], kGarbage) << i;
    sums.resize(count);
    for (uint32_t i = 0; i < count; ++i) sums[i] += starts[i / kTile];
    return sums;
}

Words randomWeights(uint32_t count, uint32_t below) {
    std::mt19937 random(count);
    Words weights(count);
    for (uint32_t& w : weights) w = static_cast<uint32_t>(random() % below);
    return weights;
}

/// The variants of the exact distribution.
class FloatCdf : public testing::TestWithParam<GroupScan> {
    void SetUp() override {
        if (!isAvailable(testDevice(), Summing::cdf, GetParam()))
            GTEST_SKIP() << "the variant needs " << missingFor(testDevice(), Summing::cdf, GetParam());
    }
};

INSTANTIATE_TEST_SUITE_P(Variants, FloatCdf, testing::Values(GroupScan::subgroup, GroupScan::portable),
                         [](const auto& p) { return p.param == GroupScan::subgroup ? "subgroup" : "portable"; });

/// Sums below 2^24 are exact in floats.
TEST_P(FloatCdf, SmallSumsAreExactForEverySizeAroundABoundary) {
    constexpr uint32_t kChunk = shared::kScanThreads * shared::kCdfRowItems * kTile;  // whose tiles' totals are summed at a time
    for (const uint32_t size :
         {0u, 1u, 7u, 8u, 9u, 255u, 256u, 257u, kTile - 1, kTile, kTile + 1, 3 * kTile + 5, kChunk, kChunk + kTile + 1}) {
        const Words weights = randomWeights(size, size < kChunk ? 10 : 4);
        const std::vector<float> found = sumsOnDevice(weights, size % 2 == 0, GetParam());
        const Sums expected = sumOnHost(weights);
        for (uint32_t i = 0; i < size; ++i) ASSERT_EQ(found[i], static_cast<float>(expected[i])) << i << " of " << size;
    }
}

TEST_P(FloatCdf, LargeSumsAreNearTheExactOnesAndLoseWeights) {
    const Words weights = randomWeights(300'000, shared::kCdfMaxWeight);
    const std::vector<float> found = sumsOnDevice(weights, true, GetParam());
    const Sums expected = sumOnHost(weights);
    size_t lost = 0;
    for (size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], static_cast<double>(expected[i]), 1e-5 * static_cast<double>(expected[i]) + 1) << i;
        lost += i > 0 && weights[i] > 0 && found[i] <= found[i - 1] ? 1u : 0u;
    }
    EXPECT_GT(lost, 0u);
}

}  // namespace
}  // namespace splat::primitives
