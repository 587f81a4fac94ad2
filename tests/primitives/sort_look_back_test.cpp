// How the tiles of a sort pass learn the counts of the tiles before.
#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "primitives/sort_pairs.h"
#include "support/test_device.h"

namespace splat::primitives {
namespace {

/// Look-back where tiles publish nothing: groups count the tiles before themselves.
class LookBackTest : public testing::TestWithParam<std::tuple<SortVariant, LookBack>> {
protected:
    void SetUp() override {
        variant = std::get<SortVariant>(GetParam());
        if (!variant.available(testDevice())) GTEST_SKIP() << testDevice().name() << " cannot run '" << variant.name << "'";
        variant.lookBack = std::get<LookBack>(GetParam());
    }
    template <class Key>
    void expectSorted(const Pairs<Key>& pairs, BitWindow window) const {
        const RadixSort sort(testDevice(), variant);
        EXPECT_EQ(sortOnDevice(testDevice(), sort, pairs, window), sortOnHost(pairs, window)) << pairs.keys.size() << " keys";
    }
    SortVariant variant;
};

TEST_P(LookBackTest, SortsWhereTilesWaitInVain) {
    for (const uint32_t size : {1u, variant.tile, variant.tile + 1, 2 * variant.tile + 1, 19 * variant.tile + 5})
        expectSorted(randomPairs(size, 2), {});
    expectSorted(randomPairs(11 * variant.tile, 2), {4, 16});
    Pairs<uint32_t> equal = randomPairs(10 * variant.tile + 1);
    std::ranges::fill(equal.keys, 0x01020304u);
    expectSorted(equal, {});
    variant.lookBack.alone = 1;
    expectSorted(randomPairs(9 * variant.tile + 5, 2), {});
    if (testDevice().has(gpu::Feature::int16Storage)) expectSorted(randomPairs<uint16_t>(10 * variant.tile + 1), {0, 13});
}

std::vector<SortVariant> withLookBack() {
    std::vector<SortVariant> variants(sortVariants().begin(), sortVariants().end());
    std::erase_if(variants, [](const SortVariant& variant) { return variant.spine != SortSpine::lookBack; });
    return variants;
}
/// Nothing is looked at; nobody publishes; every second tile publishes nothing; seven of eight publish nothing.
constexpr LookBack kInVain[] = {{.polls = 0}, {.polls = 1, .silent = UINT32_MAX}, {.polls = 2, .silent = 1}, {.polls = 1, .silent = 7}};
INSTANTIATE_TEST_SUITE_P(Variants, LookBackTest, testing::Combine(testing::ValuesIn(withLookBack()), testing::ValuesIn(kInVain)),
                         [](const auto& p) {
                             std::string name(std::get<SortVariant>(p.param).name);
                             std::ranges::replace(name, '-', '_');
                             const LookBack& settings = std::get<LookBack>(p.param);
                             return fmt::format("{}_{}_polls_{:x}_silent", name, settings.polls, settings.silent);
                         });

/// Milliseconds of a pass over so many tiles, of which every group has to count all others: none publishes anything.
double timeAlone(SortVariant variant, uint32_t tiles) {
    gpu::Device& device = testDevice();
    variant.lookBack = {.polls = 2000, .silent = UINT32_MAX, .alone = 1};
    const uint32_t count = tiles * variant.tile;
    const gpu::Buffer keysA = device.buffer<uint32_t>("keys A", count), keysB = device.buffer<uint32_t>("keys B", count);
    const gpu::Buffer payloadA = device.buffer<uint32_t>("payload A", count), payloadB = device.buffer<uint32_t>("payload B", count);
    device.upload(keysA, std::vector<uint32_t>(count, 7));
    const SortBuffers buffers{keysA, payloadA, keysB, payloadB};
    const SortScratch scratch = RadixSort::scratch(device, "sort", count);
    double least = 1e9;
    for (int run = 0; run < 3; ++run) {
        const auto start = std::chrono::steady_clock::now();
        device.run("sort", [&](gpu::Commands& c) {
            RadixSort(device, variant).record(c, {.buffers = buffers, .window = {0, 8}, .scratch = scratch}, {count});
        });
        least = std::min(least, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

/// The wait of all groups grows with their number. If each missing tile were waited for, it would grow with the square, to 300 times.
TEST(LookBackBudget, OfAGroupIsSpentOnce) {
    const SortVariant variant = withLookBack().front();
    if (!variant.available(testDevice())) GTEST_SKIP() << testDevice().name() << " cannot run '" << variant.name << "'";
    const double few = timeAlone(variant, 4), many = timeAlone(variant, 64);
    EXPECT_LT(many, 80 * few) << "ms for 64 tiles, and for 4";
}

class DigitTotals : public testing::TestWithParam<SortVariant> {};

TEST_P(DigitTotals, AreThoseOfAllPasses) {
    gpu::Device& device = testDevice();
    if (!GetParam().available(device)) GTEST_SKIP() << device.name() << " cannot run '" << GetParam().name << "'";
    const uint32_t tile = GetParam().tile;
    const gpu::Buffer zeros = device.buffer<uint32_t>("zeros", shared::kSortCounters);
    for (const BitWindow window : {BitWindow{0, 32}, BitWindow{5, 24}, BitWindow{1, 13}}) {
        const Pairs<uint32_t> pairs = randomPairs(5 * tile + 7, 2);
        const auto count = static_cast<uint32_t>(pairs.keys.size());
        const gpu::Buffer keysA = device.buffer<uint32_t>("keys A", count), keysB = device.buffer<uint32_t>("keys B", count);
        const gpu::Buffer payloadA = device.buffer<uint32_t>("payload A", count), payloadB = device.buffer<uint32_t>("payload B", count);
        device.upload(keysA, pairs.keys);
        const SortBuffers buffers{keysA, payloadA, keysB, payloadB};
        const SortScratch scratch = RadixSort::scratch(device, "sort", count);
        device.run("sort", [&](gpu::Commands& c) {
            c.fill(zeros, 0);
            RadixSort(device, GetParam()).record(c, {.buffers = buffers, .window = window, .scratch = scratch, .zeros = zeros}, {count});
        });
        std::vector<uint32_t> expected(shared::kSortCounters);
        for (uint32_t pass = 0; pass < window.passes(); ++pass) {
            const uint32_t first = window.begin + pass * window.digitBits();
            const uint32_t mask = (1u << std::min(window.digitBits(), window.end - first)) - 1;
            for (const uint32_t key : pairs.keys) ++expected[pass * shared::kSortDigits + (key >> first & mask)];
        }
        EXPECT_EQ(device.download<uint32_t>(zeros, shared::kSortCounters), expected) << window.begin << " to " << window.end;
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, DigitTotals, testing::ValuesIn(withLookBack()), variantTestName);

}  // namespace
}  // namespace splat::primitives
