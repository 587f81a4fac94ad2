#include <splatwright/primitives/distinct_draws.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/core/random.h>
#include <splatwright/core/rng.h>
#include "kernels/race_keys.h"
#include "support/test_device.h"

namespace splat::primitives {
namespace {

using Words = std::vector<uint32_t>;
using Weights = std::vector<float>;

constexpr uint32_t kGarbage = 0xdeadbeef, kSpare = 500, kStream = 3;
constexpr uint32_t kThreads = shared::kScanThreads;

/// -log(u) / weight of every item; infinite for those that are never drawn.
std::vector<double> keysOnHost(const Weights& weights, uint32_t seed, uint32_t stream) {
    std::vector<double> keys;
    for (uint32_t i = 0; i < weights.size(); ++i)
        keys.push_back(weights[i] > 0 ? raceTime(seed, i, stream) / static_cast<double>(weights[i])
                                      : std::numeric_limits<double>::infinity());
    return keys;
}

/// The drawn items in order; what lies beyond them must be garbage still.
Words drawOnDevice(const Weights& weights, uint32_t draws, uint32_t seed, bool countsOnGpu = true, uint32_t stream = kStream) {
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
            c, {.weights = values, .seed = {words, 2}, .stream = stream, .sources = sources, .drawn = {words, 3}, .scratch = scratch},
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

/// Drawn items have the smallest keys, in order, up to what the kernel's may be off: some roundings, wherever u is.
void expectRaceOrder(const Words& drawn, const Weights& weights, uint32_t draws, uint32_t seed, uint32_t stream = kStream) {
    const auto able = std::ranges::count_if(weights, [](float w) { return w > 0; });
    ASSERT_EQ(drawn.size(), std::min<size_t>(draws, static_cast<size_t>(able)));
    const std::vector<double> keys = keysOnHost(weights, seed, stream);
    const auto error = [&](uint32_t item) { return 1e-6 * keys[item]; };
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

/// Words of 32 ones and of 32 zeros, found by a search over seeds: u is next to 1, and the item first; u is next to 0, and it is last.
TEST(DistinctDraws, TheGreatestAndTheLeastWordAreKeysLikeOthers) {
    struct Case {
        uint32_t seed, item, word;
    };
    for (const auto& [seed, item, word] : {Case{6'277'596, 819, 0xffffffff}, Case{2'501'830, 569, 0}}) {
        ASSERT_EQ(random32(seed, item, kStream), word);
        const Words drawn = drawOnDevice(Weights(1000, 1.0f), 1000, seed);
        expectRaceOrder(drawn, Weights(1000, 1.0f), 1000, seed);
        EXPECT_EQ(word == 0 ? drawn.back() : drawn.front(), item);
    }
}

/// With 24 random bits, some 300 of the smallest keys would be equal, and their items drawn by index.
TEST(DistinctDraws, TheSmallestOfManyKeysDiffer) {
    constexpr uint32_t kItems = 1u << 20u, kSmallest = kItems / 64;
    const gpu::Buffer weights = testDevice().buffer<float>("weights", kItems), keys = testDevice().buffer<uint32_t>("keys", kItems),
                      items = testDevice().buffer<uint32_t>("items", kItems), seed = testDevice().buffer<uint32_t>("seed", 1);
    testDevice().upload(weights, Weights(kItems, 1.0f));
    testDevice().upload(seed, Words{7});
    testDevice().run("keys", [&](gpu::Commands& c) {
        c.dispatch(kernels::race_keys{.weights = weights,
                                      .counts = seed,
                                      .seeds = seed,
                                      .keys = keys,
                                      .items = items,
                                      .atMost = kItems,
                                      .countIndex = shared::kCountOnHost,
                                      .seedIndex = 0,
                                      .stream = kStream},
                   kItems);
    });
    Words found = testDevice().download<uint32_t>(keys, kItems);
    std::ranges::sort(found);
    uint32_t equal = 0;
    for (uint32_t i = 1; i < kSmallest; ++i) equal += found[i] == found[i - 1] ? 1u : 0u;
    EXPECT_LT(equal, 40u) << "16 are expected, as the keys are floats";
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

constexpr uint32_t kDecades = 9;

/// Weights whose logarithms are spread evenly over nine decades.
Weights weightsOverDecades(uint32_t count) {
    Rng rng(count);
    Weights weights(count);
    for (float& weight : weights) weight = static_cast<float>(std::pow(10, -double{kDecades} * rng.uniform()));
    return weights;
}

uint32_t decadeOf(float weight) { return std::min(static_cast<uint32_t>(-std::log10(static_cast<double>(weight))), kDecades - 1); }

/// Number of items drawn per decade of weight: its mean and its variance apart from the condition that the number of all is fixed.
struct ExpectedShares {
    std::array<double, kDecades> mean{}, variance{};
};

/// An item is drawn if its race ends before a time at which, in the mean, as many have ended as are drawn.
ExpectedShares sharesOnHost(const Weights& weights, uint32_t draws) {
    double first = 1, last = 1e12;
    for (int halving = 0; halving < 50; ++halving) {
        const double time = std::sqrt(first * last);
        double ended = 0;
        for (const float weight : weights) ended -= std::expm1(-time * static_cast<double>(weight));
        (ended < draws ? first : last) = time;
    }
    ExpectedShares shares;
    for (const float weight : weights) {
        const double drawn = -std::expm1(-last * static_cast<double>(weight));
        shares.mean[decadeOf(weight)] += drawn;
        shares.variance[decadeOf(weight)] += drawn * (1 - drawn);
    }
    return shares;
}

/// Half of the items, so that some of every decade are drawn.
void expectSharesOfDecades(uint32_t items, uint32_t seeds) {
    const Weights weights = weightsOverDecades(items);
    const ExpectedShares expected = sharesOnHost(weights, items / 2);
    std::array<double, kDecades> found{};
    for (uint32_t seed = 1; seed <= seeds; ++seed)
        for (const uint32_t item : drawOnDevice(weights, items / 2, seed)) ++found[decadeOf(weights[item])];
    double chiSquare = 0;
    for (uint32_t d = 0; d < kDecades; ++d) {
        const double mean = seeds * expected.mean[d];
        chiSquare += std::pow(found[d] - mean, 2) / std::max(seeds * expected.variance[d], 1.0);  // heavy items are always drawn
        testing::Test::RecordProperty(fmt::format("from_1e-{}", d + 1), fmt::format("{:.0f}, expected {:.1f}", found[d], mean));
    }
    testing::Test::RecordProperty("chi_squared", fmt::format("{:.2f}", chiSquare));
    EXPECT_LT(chiSquare, 26.1);  // 8 degrees of freedom: one run in 1000 is beyond
}

TEST(DistinctDraws, SharesOfEveryDecadeOfWeightAreThoseOfTheHost) { expectSharesOfDecades(1u << 15u, 16); }

TEST(SweepOfSeeds, SharesOfEveryDecadeOfWeightAreThoseOfTheHost) { expectSharesOfDecades(4'000'000, 64); }

TEST(SweepOfSizes, DistinctDrawsHaveTheSmallestKeysAtEveryPowerOfTwo) {
    for (uint32_t power = 0; power <= 24; ++power) {
        for (const uint32_t items : {1u << power, (1u << power) + 1}) {
            const Weights weights = weightsOverDecades(items);
            expectRaceOrder(drawOnDevice(weights, items / 10 + 1, power), weights, items / 10 + 1, power);
        }
    }
}

/// At seed 42, item 3,135,530 has 24 random bits of ones: such a u was once rounded to 1, and the item came last.
TEST(SweepOfSizes, TheItemWhoseNumberIsNextToOneIsDrawn) {
    constexpr uint32_t kItem = 3'135'530, kItems = 4'000'000, kDraws = kItems / 10, kSeed = 42, kOwnStream = 0;
    ASSERT_EQ(random32(kSeed, kItem, kOwnStream) >> 8u, 0xffffffu);
    const Weights weights(kItems, 1.0f);
    const Words drawn = drawOnDevice(weights, kDraws, kSeed, true, kOwnStream);
    expectRaceOrder(drawn, weights, kDraws, kSeed, kOwnStream);
    EXPECT_NE(std::ranges::find(drawn, kItem), drawn.end());
}

}  // namespace
}  // namespace splat::primitives
