#include <splatwright/primitives/classic_sorts.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/shared/primitives.h>
#include "support/test_device.h"

namespace splat::primitives {
namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t kGarbage = 0xdeadbeef;
constexpr size_t kSpare = 3000;  // keys beyond the count, more than a tile, which must stay as they are
constexpr uint32_t kTile = shared::kBitonicTile, kGroup = shared::kSortThreads;

Words bySorting(Words keys) {
    std::ranges::sort(keys);
    return keys;
}

Words byRadix(Words keys) {
    Words spare(keys.size());
    radixSortOnHost(keys, spare);
    return keys;
}

Words byBitonic(Words keys) {
    bitonicSortOnHost(keys);
    return keys;
}

/// Sorts on the device, and checks what lies beyond the keys.
Words onDevice(const Words& keys, const std::function<void(gpu::Commands&, const gpu::BufferSlice&, uint32_t)>& record) {
    gpu::Device& device = testDevice();
    Words padded = keys;
    padded.resize(keys.size() + kSpare, kGarbage);
    const gpu::Buffer buffer = device.buffer<uint32_t>("keys", padded.size());
    device.upload(buffer, padded);
    device.run("sort", [&](gpu::Commands& c) { record(c, buffer, static_cast<uint32_t>(keys.size())); });
    Words found = device.download<uint32_t>(buffer, padded.size());
    EXPECT_EQ(std::count(found.begin() + static_cast<std::ptrdiff_t>(keys.size()), found.end(), kGarbage), kSpare);
    found.resize(keys.size());
    return found;
}

Words byOddEvenOnDevice(const Words& keys) {
    return onDevice(keys, [](gpu::Commands& c, const gpu::BufferSlice& b, uint32_t count) { recordOddEvenSort(c, b, count, count); });
}

Words byBitonicOnDevice(const Words& keys) { return onDevice(keys, recordBitonicSort); }

Words randomKeys(size_t count, uint32_t below = 0) {
    std::mt19937 random(static_cast<uint32_t>(count));
    Words keys(count);
    for (uint32_t& key : keys) key = static_cast<uint32_t>(below == 0 ? random() : random() % below);
    return keys;
}

struct ClassicRow {
    const char* name;
    Words (*sort)(const Words& keys);
    size_t most;  ///< keys: the work of some grows with the square
};

void PrintTo(const ClassicRow& row, std::ostream* out) { *out << row.name; }

class ClassicSort : public testing::TestWithParam<ClassicRow> {};

TEST_P(ClassicSort, SortsEverySizeAroundABoundary) {
    std::vector<size_t> sizes{0, 1, 2, 3, 5, 31, 32, 33, 300'001};
    for (const uint32_t boundary : {kGroup, 2 * kGroup, kTile, 2 * kTile, 3 * kTile, 4 * kTile, 16 * kTile})
        sizes.insert(sizes.end(), {boundary - 1, boundary, boundary + 1});
    for (const size_t size : sizes) {
        if (size > GetParam().most) continue;
        EXPECT_EQ(GetParam().sort(randomKeys(size)), bySorting(randomKeys(size))) << size << " keys";
    }
}

TEST_P(ClassicSort, SortsEqualSortedReversedAndExtremeKeys) {
    const Words few = randomKeys(kTile + 77, 3);
    Words sorted = bySorting(randomKeys(2 * kTile + 1)), reversed = sorted, extreme = few;
    std::ranges::reverse(reversed);
    for (uint32_t& key : extreme) key = key == 0 ? 0 : UINT32_MAX - key + 1;
    for (const Words& keys : {few, sorted, reversed, extreme, Words(kTile + 1, UINT32_MAX)})
        EXPECT_EQ(GetParam().sort(keys), bySorting(keys));
}

constexpr ClassicRow kRows[] = {{"radixOnHost", [](const Words& keys) { return byRadix(keys); }, SIZE_MAX},
                                {"bitonicOnHost", [](const Words& keys) { return byBitonic(keys); }, SIZE_MAX},
                                {"bitonicOnDevice", byBitonicOnDevice, SIZE_MAX},
                                {"oddEvenOnDevice", byOddEvenOnDevice, 4 * size_t{kTile} + 1}};
INSTANTIATE_TEST_SUITE_P(Sorts, ClassicSort, testing::ValuesIn(kRows), [](const auto& p) { return p.param.name; });

/// Comparisons at fixed indices sort everything if they sort all zeros and ones (Knuth, The Art of Computer Programming 3, 5.3.4 Z).
TEST(ClassicSortReference, BitonicSortsAllZerosAndOnes) {
    for (uint32_t count = 0; count <= 11; ++count) {
        for (uint32_t bits = 0; bits < 1u << count; ++bits) {
            Words keys(count);
            for (uint32_t i = 0; i < count; ++i) keys[i] = bits >> i & 1u;
            ASSERT_EQ(byBitonic(keys), bySorting(keys)) << count << " keys, bits " << bits;
        }
    }
}

TEST(OddEvenSort, APhaseExchangesAlternatePairs) {
    const auto phases = [](uint32_t n) {
        return onDevice({5, 4, 3, 2, 1},
                        [n](gpu::Commands& c, const gpu::BufferSlice& b, uint32_t count) { recordOddEvenSort(c, b, count, n); });
    };
    EXPECT_EQ(phases(0), (Words{5, 4, 3, 2, 1}));
    EXPECT_EQ(phases(1), (Words{4, 5, 2, 3, 1}));
    EXPECT_EQ(phases(2), (Words{4, 2, 5, 1, 3}));
    EXPECT_EQ(phases(5), (Words{1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace splat::primitives
