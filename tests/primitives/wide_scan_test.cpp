// Scans of 64-bit numbers, modulo 2^64, by every variant.
#include <random>

#include <gtest/gtest.h>

#include <splatwright/primitives/scan.h>
#include "support/test_device.h"

namespace splat::primitives {
namespace {

using Numbers = std::vector<uint64_t>;

constexpr uint64_t kGarbage = 0xdeadbeefcafef00d;
constexpr uint32_t kSpare = 3000;  // more than a tile

struct Scanned {
    Numbers sums;
    uint64_t total = 0;
    bool operator==(const Scanned&) const = default;
};

Scanned scanOnHost(const Numbers& values) {
    Scanned result{Numbers(values.size())};
    for (size_t i = 0; i < values.size(); result.total += values[i++]) result.sums[i] = result.total;
    return result;
}

Numbers randomNumbers(size_t count, int bits, uint32_t seed) {
    std::mt19937_64 random(seed);
    Numbers numbers(count);
    for (uint64_t& n : numbers) n = random() >> (64 - bits);
    return numbers;
}

struct Row {
    const char* name;
    GroupScan variant;
    uint32_t polls = shared::kLookBackPolls;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

constexpr Row kRows[] = {{"lookBack", GroupScan::lookBack},
                         {"lookBackWithOnePoll", GroupScan::lookBack, 1},
                         {"lookBackWithoutPolls", GroupScan::lookBack, 0},
                         {"subgroup", GroupScan::subgroup},
                         {"portable", GroupScan::portable}};

class WideScan : public testing::TestWithParam<Row> {
protected:
    void SetUp() override {
        if (!isAvailable(testDevice(), Summing::scan, GetParam().variant))
            GTEST_SKIP() << "the variant needs " << missingFor(testDevice(), Summing::scan, GetParam().variant);
    }

    /// With spare capacity, so that what lies beyond the count is seen to stay.
    static Scanned scan(const Numbers& values, bool countOnGpu, bool inPlace) {
        gpu::Device& device = testDevice();
        const auto count = static_cast<uint32_t>(values.size()), capacity = count + kSpare;
        const ExclusiveScan exclusiveScan(device, GetParam().variant, GetParam().polls);
        const ScanScratch scratch = exclusiveScan.scratch("scan", capacity, ScanNumber::u64);
        const gpu::Buffer from = device.buffer<uint64_t>("values", capacity), to = device.buffer<uint64_t>("sums", capacity);
        const gpu::Buffer totals = device.buffer<uint64_t>("totals", 4), counts = device.buffer<uint32_t>("counts", 2);
        Numbers padded = values;
        padded.resize(capacity, kGarbage);
        device.upload(from, padded);
        device.upload(to, Numbers(capacity, kGarbage));
        device.upload(totals, Numbers(4, kGarbage));
        device.upload(counts, std::vector<uint32_t>{0, count});
        const gpu::Buffer& sums = inPlace ? from : to;
        device.run("scan", [&](gpu::Commands& c) {
            exclusiveScan.record(c, {.values = from, .sums = sums, .total = {totals, 2}, .scratch = scratch, .number = ScanNumber::u64},
                                 countOnGpu ? Count{capacity, {counts, 1}} : Count{count});
        });
        Numbers found = device.download<uint64_t>(sums, capacity);
        for (uint32_t i = count; i < capacity; ++i) EXPECT_EQ(found[i], kGarbage) << "beyond the count, at " << i;
        found.resize(count);
        const Numbers told = device.download<uint64_t>(totals, 4);
        EXPECT_EQ((Numbers{told[0], told[1], told[3]}), Numbers(3, kGarbage));
        return {std::move(found), told[2]};
    }
};

TEST_P(WideScan, SumsEverySizeAroundABoundary) {
    for (const uint32_t tiles : {0u, 1u, 2u, 3u, 40u})
        for (const uint32_t off : {0u, 1u, 2u, 31u, 255u, 256u, 257u}) {
            const Numbers values = randomNumbers(tiles * shared::kScanTile + off - (off == 2 && tiles > 0 ? 3 : 0), 40, tiles + off);
            EXPECT_EQ(scan(values, off % 2 == 0, off % 3 == 0), scanOnHost(values)) << values.size() << " numbers";
        }
}

TEST_P(WideScan, CarriesAcrossTheWordsAndWrapsAround) {
    for (const uint64_t value : {uint64_t{0xffffffff}, uint64_t{0x1'0000'0000}, uint64_t{0xffff'ffff'0000}, UINT64_MAX}) {
        const Numbers values(20'000, value);
        EXPECT_EQ(scan(values, true, false), scanOnHost(values)) << "20000 times " << value;
    }
    const Numbers values = randomNumbers(20'000, 64, 5);
    EXPECT_EQ(scan(values, true, false), scanOnHost(values));
}

TEST_P(WideScan, AddsUpMoreTilesThanGroupsOrThanAGroupReadsAtOnce) {
    const Numbers values = randomNumbers(shared::kScanTile * (shared::kScanThreads + 2) + 1, 48, 3);
    EXPECT_EQ(scan(values, false, false), scanOnHost(values));
}

INSTANTIATE_TEST_SUITE_P(Variants, WideScan, testing::ValuesIn(kRows), [](const auto& p) { return p.param.name; });

TEST(WideScanReference, AgreesWithAHandMadeExample) { EXPECT_EQ(scanOnHost({3, UINT64_MAX, 5}), (Scanned{{0, 3, 2}, 7})); }

}  // namespace
}  // namespace splat::primitives
