#include <splatwright/primitives/scan.h>

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/primitives/compact.h>
#include "kernels/scan_lookback.h"
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

constexpr uint32_t kMostGroups = shared::kMaxScanGroups * shared::kScanTile;    // values of as many tiles as groups
constexpr uint32_t kMostStates = shared::kScanThreads * shared::kLookBackTile;  // values of the tiles whose states a group reads at once

/// A variant, its last boundary, and how often its groups poll before they sum a missing tile themselves.
struct Row {
    const char* name;
    GroupScan variant;
    uint32_t tile, boundary;
    uint32_t polls = shared::kLookBackPolls;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

/// Without polls the work grows with the square of the number of tiles.
constexpr Row kRows[] = {{"lookBack", GroupScan::lookBack, shared::kLookBackTile, kMostStates},
                         {"lookBackWithOnePoll", GroupScan::lookBack, shared::kLookBackTile, kMostStates, 1},
                         {"lookBackWithoutPolls", GroupScan::lookBack, shared::kLookBackTile, 32 * shared::kLookBackTile, 0},
                         {"subgroup", GroupScan::subgroup, shared::kScanTile, kMostGroups},
                         {"portable", GroupScan::portable, shared::kScanTile, kMostGroups}};

/// Sizes around every boundary: of a thread's items, a group's row, a tile, the first ranges of two tiles, and the row's own.
std::vector<uint32_t> sizesToTry(const Row& row) {
    std::vector<uint32_t> sizes{0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 33, 255, 256, 257, row.boundary / 4 + 37};
    for (uint32_t n = shared::kScanTile - 2; n <= 2 * shared::kScanTile + 2; n += 171) sizes.push_back(n);
    for (uint32_t off : {0u, 1u, 2u}) {
        for (uint32_t tiles : {1u, 2u, 3u}) {
            sizes.push_back(tiles * shared::kScanTile - 1 + off);
            sizes.push_back(tiles * shared::kLookBackTile - 1 + off);
        }
        for (uint32_t boundary : {row.boundary, row.boundary + row.tile}) sizes.push_back(boundary - 1 + off);
    }
    return sizes;
}

class ScanTest : public testing::TestWithParam<Row> {
protected:
    void SetUp() override {
        if (!isAvailable(testDevice(), Summing::scan, GetParam().variant))
            GTEST_SKIP() << "the variant needs " << missingFor(testDevice(), Summing::scan, GetParam().variant);
    }
    static ExclusiveScan exclusiveScan() { return {testDevice(), GetParam().variant, GetParam().polls}; }

    /// Scans with spare capacity, so that what lies beyond the count is seen to stay.
    Scanned scan(const Words& values, bool countOnGpu, bool inPlace) {
        gpu::Device& device = testDevice();
        const auto count = static_cast<uint32_t>(values.size());
        const ExclusiveScan exclusiveScan = ScanTest::exclusiveScan();
        const ScanScratch scratch = exclusiveScan.scratch("scan", count + kSpare);
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
        const Compaction compaction(device, GetParam().variant, GetParam().polls);
        const ScanScratch scratch = compaction.scratch("compaction", count + kSpare);
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
    for (uint32_t size : sizesToTry(GetParam())) {
        const Words values = randomWords(size, 1000, size);
        EXPECT_EQ(scan(values, size % 2 == 0, size % 3 == 0), scanOnHost(values)) << size << " values";
    }
}

TEST_P(ScanTest, SumsThatAWordIsTooSmallForAreTheLargestWord) {
    const std::pair<uint32_t, uint32_t> repeated[] = {
        {53'000, 81'600},  // splats that fill the screen, and its tiles
        {52'635, 81'600},  // 2^32 + 48'704 of them: a wrapped total would look small
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
    for (uint32_t size : sizesToTry(GetParam())) {
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
    const ExclusiveScan exclusiveScan = ScanTest::exclusiveScan();
    const ScanScratch scratch = exclusiveScan.scratch("scan", 100);
    const gpu::Buffer values = device.buffer<uint32_t>("values", 100), words = device.buffer<uint32_t>("words", 2);
    device.upload(values, Words(100, 1));
    device.upload(words, Words{1'000'000, 0});
    device.run("scan", [&](gpu::Commands& c) {
        exclusiveScan.record(c, {.values = values, .sums = values, .total = {words, 1}, .scratch = scratch}, {90, {words, 0}});
    });
    EXPECT_EQ(device.download<uint32_t>(words, 2)[1], 90u);
    EXPECT_EQ(device.download<uint32_t>(values, 100)[90], 1u);
}

INSTANTIATE_TEST_SUITE_P(Variants, ScanTest, testing::ValuesIn(kRows), [](const auto& p) { return p.param.name; });

/// Scans zeros with the states given, by one dispatch of as many groups as there are states.
Words scanWithStates(const Words& states, uint32_t polls) {
    gpu::Device& device = testDevice();
    const uint32_t tiles = static_cast<uint32_t>(states.size()) / shared::kLookBackStateWords, count = tiles * shared::kLookBackTile;
    const gpu::Buffer values = device.buffer<uint32_t>("values", count), sums = device.buffer<uint32_t>("sums", count);
    const gpu::Buffer stateWords = device.buffer<uint32_t>("states", states.size()), total = device.buffer<uint32_t>("total", 1);
    device.upload(stateWords, states);
    device.run("scan", [&](gpu::Commands& c) {
        c.fill(values, 0);
        c.dispatchGroups(kernels::scan_lookback{.counts = values,
                                                .values = values,
                                                .sums = sums,
                                                .total = total,
                                                .tileStates = stateWords,
                                                .atMost = count,
                                                .countIndex = shared::kCountOnHost,
                                                .kPolls = polls},
                         tiles);
    });
    return device.download<uint32_t>(sums, count);
}

constexpr uint32_t kSumOfTile = 1u << 16u, kSumToEnd = 2u << 16u;  // kinds of states (lib/scan/look_back.slang)

/// States that are there before the dispatch stand for those that other groups have published.
TEST(LookBack, TakesWhatIsPublished) {
    if (!isAvailable(testDevice(), Summing::scan, GroupScan::lookBack))
        GTEST_SKIP() << "look-back needs " << missingFor(testDevice(), Summing::scan, GroupScan::lookBack);
    const Words states{kSumOfTile | 7, kSumOfTile, kSumToEnd | 0x2345, kSumToEnd | 0x1, kSumOfTile | 0x1000, kSumOfTile | 0xf, 0, 0};
    const Words sums = scanWithStates(states, 1000);
    EXPECT_EQ(sums[size_t{2} * shared::kLookBackTile], 0x12345u);  // the sum to the end of tile 1 hides tile 0
    const uint32_t last = sums[size_t{3} * shared::kLookBackTile];
    EXPECT_TRUE(last == 0x12345u || last == 0x12345u + 0xf1000u) << last << ": tile 2 may have published the sum to its end by now, or not";
    EXPECT_EQ(scanWithStates(states, 0), Words(sums.size(), 0));  // nothing is read, and zeros are summed again
}

TEST(LookBack, SumsAgainMoreTilesThanAGroupReadsAtOnce) {
    if (!isAvailable(testDevice(), Summing::scan, GroupScan::lookBack))
        GTEST_SKIP() << "look-back needs " << missingFor(testDevice(), Summing::scan, GroupScan::lookBack);
    gpu::Device& device = testDevice();
    const ExclusiveScan scan(device, GroupScan::lookBack, 0);
    const Words values = randomWords((shared::kScanThreads + 2) * shared::kLookBackTile + 1, 1000);
    const auto count = static_cast<uint32_t>(values.size());
    const ScanScratch scratch = scan.scratch("scan", count);
    const gpu::Buffer from = device.buffer<uint32_t>("values", count), to = device.buffer<uint32_t>("sums", count);
    const gpu::Buffer total = device.buffer<uint32_t>("total", 1);
    device.upload(from, values);
    device.run("scan",
               [&](gpu::Commands& c) { scan.record(c, {.values = from, .sums = to, .total = {total}, .scratch = scratch}, {count}); });
    EXPECT_EQ((Scanned{device.download<uint32_t>(to, count), device.download<uint32_t>(total, 1)[0]}), scanOnHost(values));
}

/// Words beyond an alias: some drivers round its size up.
constexpr uint32_t kRounding = 64;

/// Groups that poll nothing sum all tiles before theirs again, which sums in the same memory would have replaced.
TEST(LookBack, AliasesOfOneMemoryAreScannedInPlace) {
    if (!isAvailable(testDevice(), Summing::scan, GroupScan::lookBack))
        GTEST_SKIP() << "look-back needs " << missingFor(testDevice(), Summing::scan, GroupScan::lookBack);
    gpu::Device& device = testDevice();
    const Words input = randomWords(size_t{5} * shared::kLookBackTile + 1, 2);
    const auto count = static_cast<uint32_t>(input.size());
    const gpu::Buffer memory = device.buffer<uint32_t>("memory", count + kRounding), total = device.buffer<uint32_t>("total", 1);
    const gpu::Buffer from(memory, 0, "values", input.size() * sizeof(uint32_t), sizeof(uint32_t)),
        to(memory, 0, "sums", input.size() * sizeof(uint32_t), sizeof(uint32_t));
    const ExclusiveScan scan(device, GroupScan::lookBack, 0);
    const ScanScratch scratch = scan.scratch("scan", count);
    device.upload(from, input);
    device.run("scan",
               [&](gpu::Commands& c) { scan.record(c, {.values = from, .sums = to, .total = {total}, .scratch = scratch}, {count}); });
    EXPECT_EQ((Scanned{device.download<uint32_t>(to, count), device.download<uint32_t>(total, 1)[0]}), scanOnHost(input));
}

/// Flags that are all set, so that each index takes the place of its own flag.
TEST(LookBack, AliasesOfOneMemoryAreCompactedInPlace) {
    if (!isAvailable(testDevice(), Summing::compaction, GroupScan::lookBack))
        GTEST_SKIP() << "look-back needs " << missingFor(testDevice(), Summing::compaction, GroupScan::lookBack);
    gpu::Device& device = testDevice();
    constexpr uint32_t kCount = 5 * shared::kLookBackTile + 1;
    const gpu::Buffer memory = device.buffer<uint32_t>("memory", kCount + kRounding), kept = device.buffer<uint32_t>("kept", 1);
    const gpu::Buffer flags(memory, 0, "flags", kCount * sizeof(uint32_t), sizeof(uint32_t)),
        to(memory, 0, "kept", kCount * sizeof(uint32_t), sizeof(uint32_t));
    const Compaction compaction(device, GroupScan::lookBack, 0);
    const ScanScratch scratch = compaction.scratch("compaction", kCount);
    device.upload(flags, Words(kCount, 1));
    device.run("compact", [&](gpu::Commands& c) {
        compaction.record(c, {.flags = flags, .indices = to, .kept = {kept}, .scratch = scratch}, {kCount});
    });
    EXPECT_EQ(device.download<uint32_t>(kept, 1)[0], kCount);
    EXPECT_EQ(device.download<uint32_t>(to, kCount), compactOnHost(Words(kCount, 1)));
}

}  // namespace
}  // namespace splat::primitives
