#include <splatwright/primitives/distinct_draws.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/core/random.h>
#include <splatwright/core/rng.h>
#include "support/test_device.h"

namespace splat::primitives {
namespace {

using Words = std::vector<uint32_t>;
using Weights = std::vector<float>;

constexpr uint32_t kGarbage = 0xdeadbeef, kSpare = 500, kStream = 3;
constexpr uint32_t kThreads = shared::kScanThreads;

/// -log(u) / weight of every item; infinite for those that are never drawn.
std::vector<double> keysOnHost(const Weights& weights, uint32_t seed) {
    std::vector<double> keys;
    for (uint32_t i = 0; i < weights.size(); ++i) {
        const double u = (static_cast<float>(random32(seed, i, kStream) >> 8u) + 0.5f) * 0x1p-24f;  // rounded as the kernel's
        keys.push_back(weights[i] > 0 ? -std::log(u) / static_cast<double>(weights[i]) : std::numeric_limits<double>::infinity());
    }
    return keys;
}

/// The drawn items in order; what lies beyond them must be garbage still.
Words drawOnDevice(const Weights& weights, uint32_t draws, uint32_t seed, bool countsOnGpu = true) {
    gpu::Device& device = testDevice();
    const auto items = static_cast<uint32_t>(weights.size());
    const DistinctDraws distinct(device);
    const DistinctDraws::Scratch scratch = distinct.scratch("draws", items + kSpare);
    const gpu::Buffer values = device.buffer<float>("weights", items + kSpare),
                      sources = device.buffer<uint32_t>("sources", draws + kSpare);
    const gpu::Buffer words = device.buffer<uint32_t>("items, draws, seed, drawn", 4);
    Weights padded = weights;
    padded.resize(items + kSpare, 1e9f);  // would win if they counted
    device.upload(values, padded);
    device.upload(sources, Words(draws + kSpare, kGarbage));
    device.upload(words, Words{items, draws, seed, kGarbage});
    device.run("draw", [&](gpu::Commands& c) {
        distinct.record(
            c, {.weights = values, .seed = {words, 2}, .stream = kStream, .sources = sources, .drawn = {words, 3}, .scratch = scratch},
            countsOnGpu ? Count{items + kSpare, {words, 0}} : Count{items}, countsOnGpu ? Count{draws + kSpare, {words, 1}} : Count{draws});
    });
    const uint32_t drawn = device.download<uint32_t>(words, 4)[3];
    if (drawn > draws) {
        ADD_FAILURE() << drawn << " of " << draws << " draws";
        return {};
    }
    Words found = device.download<uint32_t>(sources, draws + kSpare);
    EXPECT_EQ(std::count(found.begin() + drawn, found.end(), kGarbage), found.size() - drawn);
    found.resize(drawn);
    return found;
}

/// Every third weight is 0, below or no number.
Weights someWeights(uint32_t count) {
    constexpr float kNever[] = {0, -1, std::numeric_limits<float>::quiet_NaN()};
    Rng rng(count);
    Weights weights(count);
    for (uint32_t i = 0; i < count; ++i) weights[i] = i % 3 == 1 ? kNever[i / 3 % 3] : static_cast<float>(std::pow(10, -6 * rng.uniform()));
    return weights;
}

/// Drawn items have the smallest keys, in order, up to what logarithms may be off: 2^-21 near 1, else 3 in the last place (Vulkan 1.3, precision of
/// SPIR-V instructions).
void expectRaceOrder(const Words& drawn, const Weights& weights, uint32_t draws, uint32_t seed) {
    const auto able = std::ranges::count_if(weights, [](float w) { return w > 0; });
    ASSERT_EQ(drawn.size(), std::min<size_t>(draws, static_cast<size_t>(able)));
    const std::vector<double> keys = keysOnHost(weights, seed);
    const auto error = [&](uint32_t item) { return 1e-6 * keys[item] + 1e-6 / static_cast<double>(weights[item]); };
    std::vector<bool> isDrawn(weights.size());
    double before = 0;  // the least that the greatest key so far may be
    for (const uint32_t item : drawn) {
        ASSERT_TRUE(item < weights.size() && weights[item] > 0 && !isDrawn[item]) << item << ", " << draws << " draws from " << keys.size();
        isDrawn[item] = true;
        EXPECT_GE(keys[item] + error(item), before) << item << ", " << draws << " draws from " << keys.size();
        before = std::max(before, keys[item] - error(item));
    }
    for (uint32_t item = 0; item < weights.size(); ++item) {
        const bool lost = weights[item] > 0 && !isDrawn[item];
        EXPECT_TRUE(!lost || keys[item] + error(item) >= before) << item << " was not drawn";
    }
}

TEST(DistinctDraws, HaveTheSmallestKeysAcrossBoundaries) {
    for (const uint32_t items : {0u, 1u, 2u, kThreads - 1, kThreads, kThreads + 1, 2049u, 20'000u}) {
        const Weights weights = someWeights(items);
        for (const uint32_t draws : {0u, 1u, kThreads - 1, kThreads, kThreads + 1, items, items + 7})
            expectRaceOrder(drawOnDevice(weights, draws, draws + 1, draws % 2 == 0), weights, draws, draws + 1);
    }
}

TEST(DistinctDraws, NothingToDrawFromDrawsNothing) {
    EXPECT_TRUE(drawOnDevice(Weights(700, 0.0f), 10, 1).empty());
    EXPECT_TRUE(drawOnDevice({}, 10, 1).empty());
    EXPECT_TRUE(drawOnDevice(Weights(700, 1.0f), 0, 1).empty());
}

TEST(DistinctDraws, SeedsMakeADifference) {
    const Weights weights = someWeights(3000);
    EXPECT_EQ(drawOnDevice(weights, 100, 1), drawOnDevice(weights, 100, 1));
    EXPECT_NE(drawOnDevice(weights, 100, 1), drawOnDevice(weights, 100, 2));
}

/// Orders of two draws from weights 1, 2 and 4: first i, then j with a probability of w_i / 7 * w_j / (7 - w_i). By the keys of many triples at once.
TEST(DistinctDraws, PassAChiSquareTest) {
    constexpr double kWeights[] = {1, 2, 4};
    constexpr uint32_t kTriples = 60'000;
    Weights weights;
    for (uint32_t i = 0; i < kTriples; ++i) weights.insert(weights.end(), {1, 2, 4});
    Words found(9);
    std::vector<Words> orders(kTriples);
    for (const uint32_t item : drawOnDevice(weights, 3 * kTriples, 11)) orders[item / 3].push_back(item % 3);
    for (const Words& order : orders) {
        ASSERT_EQ(order.size(), 3u);
        ++found[3 * order[0] + order[1]];
    }
    double chiSquare = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            if (i == j) continue;
            const double expected = kTriples * kWeights[i] / 7 * kWeights[j] / (7 - kWeights[i]);
            chiSquare += std::pow(found[3 * i + j] - expected, 2) / expected;
        }
    }
    EXPECT_LT(chiSquare, 20.5);  // 5 degrees of freedom: one seed in 1000 is beyond
}

}  // namespace
}  // namespace splat::primitives
