#include <splatwright/primitives/scan.h>

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/gpu/kernel_needs.h>
#include <splatwright/primitives/compact.h>
#include "kernels/scan_write.h"
#include "support/test_device.h"

namespace splat::primitives {
namespace {

using Words = std::vector<uint32_t>;

struct Scanned {
    Words sums;
    uint32_t total = 0;
    bool operator==(const Scanned&) const = default;
};

Scanned scanOnHost(const Words& values) {
    Scanned result{Words(values.size())};
    uint64_t sum = 0;
    const auto word = [&] { return static_cast<uint32_t>(std::min<uint64_t>(sum, UINT32_MAX)); };
    for (size_t i = 0; i < values.size(); sum += values[i++]) result.sums[i] = word();
    result.total = word();
    return result;
}

Words compactOnHost(const Words& flags) {
    Words kept;
    for (uint32_t i = 0; i < flags.size(); ++i) {
        if (flags[i] != 0) kept.push_back(i);
    }
    return kept;
}

Words randomWords(size_t count, uint32_t below, uint32_t seed = 1) {
    std::mt19937 random(seed);
    Words words(count);
    for (uint32_t& w : words) w = static_cast<uint32_t>(below == 0 ? random() : random() % below);
    return words;
}

constexpr uint32_t kGarbage = 0xdeadbeef;

/// Sizes around every boundary: of a thread's items, a group's row, a tile, and the first ranges of two tiles.
std::vector<uint32_t> sizesToTry() {
    std::vector<uint32_t> sizes{0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 33, 255, 256, 257, 300'000};
    for (uint32_t n = shared::kScanTile - 2; n <= 2 * shared::kScanTile + 2; n += 171) sizes.push_back(n);
    for (uint32_t tiles : {1u, 2u, 3u, shared::kMaxScanGroups, shared::kMaxScanGroups + 1}) {
        for (uint32_t off : {0u, 1u, 2u}) sizes.push_back(tiles * shared::kScanTile - 1 + off);
    }
    return sizes;
}

class ScanTest : public testing::TestWithParam<GroupScan> {
protected:
    void SetUp() override {
        if (!isAvailable(testDevice(), variant()))
            GTEST_SKIP() << "the variant needs " << gpu::missingFor(testDevice(), kernels::scan_write::info());
    }
    static GroupScan variant() { return GetParam(); }

    /// Scans with spare capacity, so that what lies beyond the count is seen to stay.
    Scanned scan(const Words& values, bool countOnGpu, bool inPlace) {
        gpu::Device& device = testDevice();
        const auto count = static_cast<uint32_t>(values.size());
        const ExclusiveScan exclusiveScan(device, variant());
        const ScanScratch scratch = exclusiveScan.scratch("scan");
        const gpu::Buffer from = device.buffer<uint32_t>("values", count + kSpare), to = device.buffer<uint32_t>("sums", count + kSpare);
        const gpu::Buffer words = device.buffer<uint32_t>("words", 8);
        Words padded = values;
        padded.resize(count + kSpare, kGarbage);
        device.upload(from, padded);
        device.upload(to, Words(count + kSpare, kGarbage));
        device.upload(words, Words{kGarbage, kGarbage, kGarbage, count, kGarbage, kGarbage, kGarbage, kGarbage});
        const gpu::Buffer& sums = inPlace ? from : to;
        device.run("scan", [&](gpu::Commands& c) {
            exclusiveScan.record(c, {.values = from, .sums = sums, .total = {words, 5}, .scratch = scratch},
                                 countOnGpu ? Count{count + kSpare, {words, 3}} : Count{count});
        });
        Words found = device.download<uint32_t>(sums, count + kSpare);
        for (uint32_t i = count; i < found.size(); ++i) EXPECT_EQ(found[i], kGarbage) << "beyond the count, at " << i;
        found.resize(count);
        return {std::move(found), device.download<uint32_t>(words, 8)[5]};
    }

    Words compact(const Words& flags, bool countOnGpu) {
        gpu::Device& device = testDevice();
        const auto count = static_cast<uint32_t>(flags.size());
        const Compaction compaction(device, variant());
        const ScanScratch scratch = compaction.scratch("compaction");
        const gpu::Buffer from = device.buffer<uint32_t>("flags", count + kSpare), to = device.buffer<uint32_t>("kept", count + kSpare);
        const gpu::Buffer words = device.buffer<uint32_t>("words", 8);
        Words padded = flags;
        padded.resize(count + kSpare, kGarbage);
        device.upload(from, padded);
        device.upload(to, Words(count + kSpare, kGarbage));
        device.upload(words, Words{count, kGarbage, kGarbage, kGarbage, kGarbage, kGarbage, kGarbage, kGarbage});
        device.run("compact", [&](gpu::Commands& c) {
            compaction.record(c, {.flags = from, .indices = to, .kept = {words, 1}, .scratch = scratch},
                              countOnGpu ? Count{count + kSpare, {words, 0}} : Count{count});
        });
        Words found = device.download<uint32_t>(to, count + kSpare);
        const uint32_t kept = device.download<uint32_t>(words, 8)[1];
        EXPECT_LE(kept, count);
        for (uint32_t i = kept; i < found.size(); ++i) EXPECT_EQ(found[i], kGarbage) << "beyond the kept, at " << i;
        found.resize(kept);
        return found;
    }

    static constexpr uint32_t kSpare = 3000;  // more than a tile
};

TEST(ScanReference, AgreesWithAHandMadeExample) {
    EXPECT_EQ(scanOnHost({3, 0, 5, 1}), (Scanned{{0, 3, 3, 8}, 9}));
    EXPECT_EQ(scanOnHost({0xfffffffe, 2, 1}), (Scanned{{0, 0xfffffffe, 0xffffffff}, 0xffffffff}));
    EXPECT_EQ(compactOnHost({0, 7, 0, 1, 0xffffffff}), (Words{1, 3, 4}));
}

TEST_P(ScanTest, SumsEverySizeAroundABoundary) {
    for (uint32_t size : sizesToTry()) {
        const Words values = randomWords(size, 1000, size);
        EXPECT_EQ(scan(values, size % 2 == 0, size % 3 == 0), scanOnHost(values)) << size << " values";
    }
}

TEST_P(ScanTest, SumsThatAWordIsTooSmallForAreTheLargestWord) {
    const std::pair<uint32_t, uint32_t> repeated[] = {
        {530'000, 8160},   // splats that fill the screen at 1920x1080, and its tiles
        {526'345, 8160},   // 2^32 + 7904 of them: a wrapped total would look small
        {65'537, 65'535},  // 2^32 - 1
        {65'536, 65'536},  // 2^32
        {2, 0xffffffff},
    };
    for (const auto& [count, value] : repeated) {
        const Words values(count, value);
        EXPECT_EQ(scan(values, true, false), scanOnHost(values)) << count << " times " << value;
    }
    for (const uint32_t below : {0u, 1u << 20u}) {  // too large within a thread, and by and by
        const Words values = randomWords(10'000, below);
        EXPECT_EQ(scan(values, true, false), scanOnHost(values));
    }
}

TEST_P(ScanTest, KeepsEverySizeAroundABoundaryInOrder) {
    for (uint32_t size : sizesToTry()) {
        const Words flags = randomWords(size, 3, size);
        EXPECT_EQ(compact(flags, size % 2 == 0), compactOnHost(flags)) << size << " flags";
    }
}

TEST_P(ScanTest, KeepsAllOrNone) {
    for (uint32_t flag : {0u, 1u, 0x80000000u}) {
        const Words flags(5000, flag);
        EXPECT_EQ(compact(flags, true), compactOnHost(flags));
    }
}

TEST_P(ScanTest, ACountBeyondTheCapacityIsTheCapacity) {
    gpu::Device& device = testDevice();
    const ExclusiveScan exclusiveScan(device, variant());
    const ScanScratch scratch = exclusiveScan.scratch("scan");
    const gpu::Buffer values = device.buffer<uint32_t>("values", 100), words = device.buffer<uint32_t>("words", 2);
    device.upload(values, Words(100, 1));
    device.upload(words, Words{1'000'000, 0});
    device.run("scan", [&](gpu::Commands& c) {
        exclusiveScan.record(c, {.values = values, .sums = values, .total = {words, 1}, .scratch = scratch}, {90, {words, 0}});
    });
    EXPECT_EQ(device.download<uint32_t>(words, 2)[1], 90u);
    EXPECT_EQ(device.download<uint32_t>(values, 100)[90], 1u);
}

INSTANTIATE_TEST_SUITE_P(Variants, ScanTest, testing::Values(GroupScan::subgroup, GroupScan::portable),
                         [](const auto& p) { return p.param == GroupScan::subgroup ? "subgroup" : "portable"; });

}  // namespace
}  // namespace splat::primitives
