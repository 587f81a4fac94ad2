// The scans of a frame, in every variant: the list of visible Gaussians, and the first instance of each in depth order.
#include <splatwright/render/frame_scans.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/gpu/kernel_needs.h>
#include "kernels/scan_instances.h"
#include "reference/render.h"
#include "support/test_device.h"

namespace splat {
namespace {

using primitives::GroupScan;
using Words = std::vector<uint32_t>;

/// A variant, and how often its groups poll before they sum a missing tile themselves.
struct Row {
    const char* name;
    GroupScan variant;
    uint32_t polls = shared::kLookBackPolls;
};

constexpr Row kRows[] = {{"lookBack", GroupScan::lookBack},
                         {"lookBackWithoutPolls", GroupScan::lookBack, 0},
                         {"subgroup", GroupScan::subgroup},
                         {"portable", GroupScan::portable}};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

/// Dispatch arguments of a number of groups below the fold.
Words groupsFor(uint32_t items) { return {(items + shared::kBlock - 1) / shared::kBlock, 1, 1}; }

Words words(const gpu::Buffer& buffer, size_t count) { return testDevice().download<uint32_t>(buffer, count); }

class FrameScansTest : public testing::TestWithParam<Row> {
protected:
    void SetUp() override {
        if (!isAvailable(testDevice(), primitives::Summing::scan, GetParam().variant))
            GTEST_SKIP() << "the variant needs " << missingFor(testDevice(), primitives::Summing::scan, GetParam().variant);
    }

    static FrameBuffers frameOf(uint32_t gaussians, uint32_t instances) {
        return {testDevice(), {.gaussians = gaussians, .instances = instances, .width = 1, .height = 1, .backward = false}};
    }

    /// Records into a frame that begins.
    template <class Record>
    static void run(const FrameBuffers& frame, Record record) {
        const FrameScans scans(testDevice(), GetParam().variant, GetParam().polls);
        testDevice().run("frame scans", [&](gpu::Commands& c) {
            c.fill(frame.zeroed, 0);
            record(c, scans);
        });
    }

    /// Scans the counts in the order of `ranks`; words of them from `visible` on are beyond the count.
    static void scanInstances(const FrameBuffers& frame, const Words& counts, const Words& ranks, uint32_t visible) {
        gpu::Device& device = testDevice();
        const gpu::Buffer gaussianFromRank = device.buffer<uint32_t>("gaussian from rank", ranks.size());
        device.upload(gaussianFromRank, ranks);
        device.upload(frame.tileCounts, counts);
        device.upload(frame.visibleCount, Words{visible});
        device.upload(frame.perVisible, std::vector{shared::DispatchArguments{groupsFor(visible)[0], 1, 1}});
        run(frame, [&](gpu::Commands& c, const FrameScans& scans) {
            c.fill(frame.groupRanks, 0);
            scans.recordInstances(c, frame, gaussianFromRank);
        });
    }
    static shared::FrameState stateOf(const FrameBuffers& frame) { return testDevice().download<shared::FrameState>(frame.state, 1)[0]; }
};

/// The rank that the first instance of each group of the emission belongs to; 0 of groups without instances, as before the scan.
Words groupRanks(const Words& firstInstances, uint32_t total, uint32_t capacity) {
    Words ranks(capacity / shared::kBlock + 1);
    for (uint32_t group = 0; group < ranks.size() && group * shared::kBlock < total; ++group) {
        const auto next = std::ranges::upper_bound(firstInstances, group * shared::kBlock);
        ranks[group] = static_cast<uint32_t>(next - firstInstances.begin()) - 1;
    }
    return ranks;
}

constexpr uint32_t kTile = shared::kScanTile;

TEST_P(FrameScansTest, TheVisibleAreListedInIndexOrder) {
    std::mt19937 random(1);
    for (const uint32_t size : {0u, 1u, 255u, kTile - 1, kTile, kTile + 1, 2 * kTile, 5 * kTile + 3}) {
        const FrameBuffers frame = frameOf(5 * kTile + 3, 1);
        Words counts(frame.capacity.gaussians), visible, keys;
        std::vector<float> depths(frame.capacity.gaussians);
        for (uint32_t g = 0; g < counts.size(); ++g) {
            counts[g] = static_cast<uint32_t>(random() % 3 * (random() % 100));
            depths[g] = std::ldexp(std::uniform_real_distribution(1.0F, 2.0F)(random), static_cast<int>(random() % 40) - 6);
            if (g >= size || counts[g] == 0) continue;
            visible.push_back(g);
            keys.push_back(reference::depthStep(depths[g]));
        }
        testDevice().upload(frame.tileCounts, counts);
        testDevice().upload(frame.depthKeysB, depths);
        // A count beyond the capacity is the capacity.
        testDevice().upload(frame.activeCount, Words{size < counts.size() ? size : 1'000'000});
        run(frame, [&](gpu::Commands& c, const FrameScans& scans) { scans.recordVisible(c, frame); });
        const auto found = static_cast<uint32_t>(visible.size());
        EXPECT_EQ(words(frame.visibleCount, 1)[0], found) << size;
        EXPECT_EQ(words(frame.perVisible, 3), groupsFor(found)) << size;
        EXPECT_EQ(words(frame.gaussianFromVisible, found), visible) << size;
        EXPECT_EQ(words(frame.gaussiansA, found), visible) << size;
        EXPECT_EQ(words(frame.depthKeysA, found), keys) << size;
    }
}

TEST_P(FrameScansTest, InstancesAreSummedInDepthOrderAndAdmittedUpToTheCapacity) {
    std::mt19937 random(2);
    for (const uint32_t visible : {0u, 1u, 255u, kTile - 1, kTile, kTile + 1, 4 * kTile + 7}) {
        Words counts(5 * kTile), ranks(5 * kTile);
        for (uint32_t& count : counts) count = 1 + static_cast<uint32_t>(random() % 20);
        std::iota(ranks.begin(), ranks.end(), 0u);
        std::ranges::shuffle(ranks, random);
        Words first;
        uint32_t total = 0;
        for (uint32_t rank = 0; rank < visible; total += counts[ranks[rank++]]) first.push_back(total);
        for (const uint32_t capacity : {total + 1, total, total - 1}) {
            if (total == 0 && capacity != 1) continue;
            const FrameBuffers frame = frameOf(5 * kTile, std::max(capacity, 1u));
            scanInstances(frame, counts, ranks, visible);
            const bool fits = total <= frame.capacity.instances;
            EXPECT_EQ(words(frame.firstInstances, visible), first) << visible;
            EXPECT_EQ(words(frame.groupRanks, frame.capacity.instances / shared::kBlock + 1),
                      groupRanks(first, total, frame.capacity.instances))
                << visible;
            EXPECT_EQ(words(frame.instanceCount, 1)[0], fits ? total : 0) << visible;
            EXPECT_EQ(words(frame.perInstance, 3), groupsFor(fits ? total : 0)) << visible;
            EXPECT_EQ(stateOf(frame).halted, fits ? 0u : 1u) << visible;
            EXPECT_EQ(stateOf(frame).instancesNeeded, fits ? 0u : total) << visible;
        }
    }
}

TEST_P(FrameScansTest, ATotalThatAWordIsTooSmallForFitsNoCapacity) {
    for (const uint32_t total : {UINT32_MAX - 1, UINT32_MAX}) {
        FrameBuffers frame = frameOf(2 * kTile, 1);
        frame.capacity.instances = UINT32_MAX;
        Words counts(2 * kTile, 1), ranks(2 * kTile);
        std::iota(ranks.begin(), ranks.end(), 0u);
        counts[5] = total - (2 * kTile - 1);
        scanInstances(frame, counts, ranks, 2 * kTile);
        EXPECT_EQ(stateOf(frame).halted, total == UINT32_MAX ? 1u : 0u) << total;
        EXPECT_EQ(words(frame.instanceCount, 1)[0], total == UINT32_MAX ? 0u : total);
    }
}

TEST_P(FrameScansTest, ATotalThatWouldWrapIsSaturated) {
    constexpr uint32_t kSplats = 20 * kTile, kTiles = 104'858;  // 2^32 + 16,384 instances
    const FrameBuffers frame = frameOf(kSplats, 1u << 16u);
    Words ranks(kSplats);
    std::iota(ranks.begin(), ranks.end(), 0u);
    scanInstances(frame, Words(kSplats, kTiles), ranks, kSplats);
    EXPECT_EQ(stateOf(frame).instancesNeeded, UINT32_MAX);
    EXPECT_EQ(words(frame.instanceCount, 1)[0], 0u);
}

/// Here the order of depths is that of indices. Sums over a tile are 2^16, whose lower halves are less than numbers of visible Gaussians, so states of
/// the first scan would change the second.
TEST_P(FrameScansTest, BothScansOfAFrameHaveStatesOfTheirOwn) {
    constexpr uint32_t kCount = (1u << 16u) / kTile;
    const Words counts(4 * kTile + 5, kCount);
    Words first(counts.size());
    for (uint32_t g = 0; g < first.size(); ++g) first[g] = kCount * g;
    const auto total = static_cast<uint32_t>(kCount * counts.size());
    const FrameBuffers frame = frameOf(static_cast<uint32_t>(counts.size()), total);
    testDevice().upload(frame.tileCounts, counts);
    testDevice().upload(frame.activeCount, Words{frame.capacity.gaussians});
    run(frame, [&](gpu::Commands& c, const FrameScans& scans) {
        c.fill(frame.projected, 0);
        scans.recordVisible(c, frame);
        scans.recordInstances(c, frame, frame.gaussiansA);
    });
    EXPECT_EQ(words(frame.firstInstances, first.size()), first);
    EXPECT_EQ(words(frame.instanceCount, 1)[0], total);
}

INSTANTIATE_TEST_SUITE_P(Variants, FrameScansTest, testing::ValuesIn(kRows), [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace splat
