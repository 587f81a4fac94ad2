#include <splatwright/explain/sort_steps.h>

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "explain/explained_scene.h"

namespace splat::explain {
namespace {

/// Around the boundaries of subgroups, groups, tiles of all variants and tiles of the bitonic sort.
constexpr uint32_t kSizes[] = {1,    2,    3,    31,   32,   33,   255,  256,  257,  1023, 1024,
                               1025, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8192, 8193, 10'000};

SortedPairs randomPairs(uint32_t count, uint32_t below) {
    std::mt19937 random(count);
    SortedPairs pairs{std::vector<uint32_t>(count), std::vector<uint32_t>(count)};
    for (uint32_t& key : pairs.keys) key = below == 0 ? static_cast<uint32_t>(random()) : static_cast<uint32_t>(random() % below);
    std::iota(pairs.payload.begin(), pairs.payload.end(), 100u);
    return pairs;
}

/// The pairs in the order of a function of their keys; equal ones stay as they were.
template <class Function>
SortedPairs sortedBy(const SortedPairs& pairs, const Function& of) {
    std::vector<size_t> order(pairs.keys.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t i) { return of(pairs.keys[i]); });
    SortedPairs sorted;
    for (const size_t i : order) {
        sorted.keys.push_back(pairs.keys[i]);
        sorted.payload.push_back(pairs.payload[i]);
    }
    return sorted;
}

void expectRadixPasses(const SortedPairs& start) {
    const RadixSteps steps = traceRadixSort(testDevice(), start);
    ASSERT_EQ(steps.passes.size(), 4u);
    SortedPairs before = start;
    for (size_t i = 0; i < steps.passes.size(); ++i) {
        const RadixPass& pass = steps.passes[i];
        ASSERT_EQ(pass.firstBit, 8 * i);
        const auto digit = [&](uint32_t key) { return key >> pass.firstBit & 255u; };
        std::vector<uint32_t> histogram(256), prefix(256);
        for (const uint32_t key : before.keys) ++histogram[digit(key)];
        std::exclusive_scan(histogram.begin(), histogram.end(), prefix.begin(), 0u);
        EXPECT_EQ(pass.histogram, histogram);
        EXPECT_EQ(pass.prefix, prefix);
        EXPECT_EQ(pass.after, sortedBy(before, digit));
        ASSERT_EQ(pass.places.size(), before.keys.size());
        for (size_t key = 0; key < before.keys.size(); ++key) {
            ASSERT_EQ(pass.places[key], prefix[digit(before.keys[key])]++) << "behind earlier keys of its digit";
            ASSERT_EQ(pass.after.payload[pass.places[key]], before.payload[key]);
        }
        before = pass.after;
    }
    EXPECT_EQ(before, sortedBy(start, [](uint32_t key) { return key; }));
}

TEST(RadixSteps, AreThoseOfAStableSortByEachDigit) {
    for (const uint32_t size : kSizes) {
        SCOPED_TRACE(size);
        expectRadixPasses(randomPairs(size, 0));
        expectRadixPasses(randomPairs(size, 3));
    }
}

TEST(RadixSteps, OfNoPairsAreNone) { EXPECT_TRUE(traceRadixSort(testDevice(), {}).passes.empty()); }

class TileSorts : public testing::TestWithParam<std::string> {};

/// The renderer sorts all splats by depth, then by tile; the tile's pairs alone end in the same order.
TEST_P(TileSorts, EndInTheOrderOfTheTilesList) {
    const ExplainedScene scene(GetParam());
    const TileFrame tile = scene.at(scene.centre());
    ASSERT_GT(tile.list().size(), 3u);
    const SortedPairs start = unsortedPairs(tile.list());
    EXPECT_TRUE(std::ranges::is_sorted(start.payload));
    std::vector<uint32_t> listed;
    for (const ListedSplat& each : tile.list()) listed.push_back(each.gaussian);
    const RadixSteps radix = traceRadixSort(testDevice(), start, Forward::kDepthWindow.end);
    EXPECT_EQ(radix.passes.size(), 3u);
    EXPECT_EQ(radix.passes.back().after.payload, listed);
    EXPECT_EQ(traceBitonicSort(testDevice(), start.keys).keys.back(), radix.passes.back().after.keys);
}

INSTANTIATE_TEST_SUITE_P(Scenes, TileSorts, testing::Values("mixed", "equalDepths", "crowdedTile"), [](const auto& p) { return p.param; });

TEST(BitonicSteps, CompareEachPairOfTheNetwork) {
    for (const uint32_t size : kSizes) {
        SCOPED_TRACE(size);
        const std::vector<uint32_t> start = randomPairs(size, size % 2 == 0 ? 0 : 7).keys;
        const BitonicSteps trace = traceBitonicSort(testDevice(), start);
        ASSERT_EQ(trace.keys.size(), trace.steps.size() + 1);
        std::vector<uint32_t> keys = start;
        for (size_t i = 0; i < trace.steps.size(); ++i) {
            for (uint32_t left = 0; left < size; ++left) {
                const uint32_t right = left ^ trace.steps[i].mask;
                if (right > left && right < size && keys[right] < keys[left]) std::swap(keys[left], keys[right]);
            }
            ASSERT_EQ(trace.keys[i + 1], keys) << "step " << i;
        }
        std::vector<uint32_t> sorted = start;
        std::ranges::sort(sorted);
        EXPECT_EQ(keys, sorted);
    }
}

/// log2(n) merges of 1, 2, 3, ... steps.
TEST(BitonicSteps, AreAsManyAsBatchersNetworkHas) {
    EXPECT_TRUE(primitives::bitonicSteps(1).empty());
    EXPECT_EQ(primitives::bitonicSteps(2).size(), 1u);
    EXPECT_EQ(primitives::bitonicSteps(1024).size(), 55u);
    EXPECT_EQ(primitives::bitonicSteps(1025).size(), 66u);
    for (const primitives::BitonicStep& step : primitives::bitonicSteps(64))
        EXPECT_TRUE(step.mask == step.distance || step.mask == step.block - 1);
}

}  // namespace
}  // namespace splat::explain
