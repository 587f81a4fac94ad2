#include <splatwright/primitives/radix_sort.h>

#include <algorithm>

#include <gtest/gtest.h>

#include <splatwright/primitives/sort_variants.h>
#include "primitives/sort_pairs.h"
#include "support/test_device.h"

namespace splat::primitives {
namespace {

TEST(RadixSortReference, AgreesWithAHandMadeExample) {
    const Pairs<uint32_t> pairs{{0x21, 0x12, 0x11, 0x22, 0x02}, {1, 2, 3, 4, 5}};
    EXPECT_EQ(sortOnHost(pairs, {0, 32}), (Pairs<uint32_t>{{0x02, 0x11, 0x12, 0x21, 0x22}, {5, 3, 2, 1, 4}}));
    EXPECT_EQ(sortOnHost(pairs, {4, 8}), (Pairs<uint32_t>{{0x02, 0x12, 0x11, 0x21, 0x22}, {5, 2, 3, 1, 4}}));
}

TEST(RadixSort, ResultSideFollowsFromTheWindow) {
    EXPECT_EQ(resultSide({0, 32}), Side::a);
    EXPECT_EQ(resultSide({0, 0}), Side::a);
    EXPECT_EQ(resultSide({3, 4}), Side::b);
    EXPECT_EQ(resultSide({0, 9}), Side::a);
    EXPECT_EQ(resultSide({8, 32}), Side::b);
}

TEST(RadixSort, DigitsOfAWindowAreAsEqualAsPossible) {
    for (uint32_t bits = 0; bits <= 32; ++bits) {
        const BitWindow window{0, bits};
        EXPECT_LE(window.digitBits(), 8u);
        EXPECT_GE(window.digitBits() * window.passes(), bits);
        EXPECT_LT(window.digitBits() * window.passes(), bits + std::max(window.passes(), 1u));
    }
    EXPECT_EQ((BitWindow{3, 15}.digitBits()), 6u);
}

TEST(RadixSort, VariantsForEachKindOfDeviceSortAnyNumber) {
    for (const TunedFor kind : {TunedFor::gpu, TunedFor::software}) {
        EXPECT_TRUE(std::ranges::any_of(sortVariants(), [&](const SortVariant& variant) {
            return variant.tunedFor == kind && variant.best == UINT32_MAX && variant.sorts(UINT32_MAX);
        }));
    }
    for (const SortVariant& variant : sortVariants()) {
        EXPECT_TRUE(variant.sorts((1u << 28) - 1)) << variant.name;
        EXPECT_TRUE(variant.best == UINT32_MAX || variant.sorts(variant.best)) << variant.name;
        EXPECT_EQ(variant.sorts(1u << 28), variant.spine != SortSpine::lookBack) << variant.name;
    }
}

class RadixSortTest : public testing::TestWithParam<SortVariant> {
protected:
    void SetUp() override {
        if (!GetParam().available(testDevice())) GTEST_SKIP() << testDevice().name() << " cannot run '" << GetParam().name << "'";
    }
    static RadixSort sorter() { return {testDevice(), GetParam()}; }
    template <class Key>
    static void expectSorted(const RadixSort& sort, const Pairs<Key>& pairs, BitWindow window, bool countOnGpu = true) {
        EXPECT_EQ(sortOnDevice(testDevice(), sort, pairs, window, countOnGpu), sortOnHost(pairs, window))
            << pairs.keys.size() << " keys, bits [" << window.begin << ", " << window.end << ")";
    }
};

TEST_P(RadixSortTest, SortsEverySizeAroundABlockBoundary) {
    const RadixSort sort = sorter();
    const uint32_t tile = GetParam().tile;
    std::vector<uint32_t> sizes{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257};
    for (uint32_t tiles : {1u, 2u, 3u, 17u}) {
        for (uint32_t off : {0u, 1u, 2u}) sizes.push_back(tiles * tile - 1 + off);
    }
    for (uint32_t n = tile + 2; n < 2 * tile; n += tile / 7) sizes.push_back(n);
    for (uint32_t size : sizes) expectSorted(sort, randomPairs(size, 2), {0, 16}, size % 2 == 0);
}

TEST_P(RadixSortTest, SortsManyKeys) {
    const RadixSort sort = sorter();
    expectSorted(sort, randomPairs(100'000), {});
    expectSorted(sort, randomPairs(61'729, 4), {});
}

TEST_P(RadixSortTest, SortsFewKeysAsItSortsMany) {
    const SortVariant variant = forManyTiles(GetParam());
    const RadixSort sort(testDevice(), variant);
    const uint32_t tile = variant.tile;
    for (const uint32_t size : {0u, 1u, 255u, tile - 1, tile, tile + 1, 3 * tile, 9 * tile + 100}) {
        expectSorted(sort, randomPairs(size, 2), {}, size % 2 == 0);
    }
}

/// The variants with small tiles, which take the other spines too: inputs of as many large tiles would take long.
class SmallTiles : public RadixSortTest {};

TEST_P(SmallTiles, SortMoreTilesThanARowsThreadsTakeAtOnce) {
    SortVariant variant = forManyTiles(GetParam());
    variant.spine = variant.name.starts_with("portable") ? SortSpine::portable : SortSpine::subgroup;
    expectSorted(RadixSort(testDevice(), variant), randomPairs(variant.tile * shared::kSortRowItems * shared::kSortThreads + 5), {0, 8});
}

TEST_P(RadixSortTest, SortsAnyBitWindow) {
    const RadixSort sort = sorter();
    const Pairs<uint32_t> pairs = randomPairs(10'000);
    for (const BitWindow window :
         {BitWindow{0, 0}, BitWindow{0, 1}, BitWindow{31, 32}, BitWindow{0, 8}, BitWindow{5, 18}, BitWindow{8, 32}, BitWindow{1, 32},
          BitWindow{13, 29}, BitWindow{24, 32}, BitWindow{0, 9}, BitWindow{4, 14}, BitWindow{0, 11}, BitWindow{0, 12}, BitWindow{7, 21},
          BitWindow{1, 16}, BitWindow{2, 20}, BitWindow{0, 25}}) {
        expectSorted(sort, pairs, window);
    }
}

TEST_P(RadixSortTest, KeepsEqualKeysInOrder) {
    const RadixSort sort = sorter();
    for (const uint32_t key : {0u, 0xffffffffu, 0x01020304u}) {
        Pairs<uint32_t> pairs = randomPairs(20'001);
        std::fill(pairs.keys.begin(), pairs.keys.end(), key);
        expectSorted(sort, pairs, {});
    }
    for (const int draws : {3, 9, 15}) expectSorted(sort, randomPairs(20'000, draws), {});
}

TEST_P(RadixSortTest, SortsWhatIsSortedOrReversed) {
    const RadixSort sort = sorter();
    Pairs<uint32_t> pairs = randomPairs(20'000);
    std::sort(pairs.keys.begin(), pairs.keys.end());
    expectSorted(sort, pairs, {});
    std::reverse(pairs.keys.begin(), pairs.keys.end());
    expectSorted(sort, pairs, {});
}

TEST_P(RadixSortTest, Sorts16BitKeys) {
    const RadixSort sort = sorter();
    EXPECT_EQ(sort.supports(KeyStorage::u16), testDevice().has(gpu::Feature::int16Storage));
    if (!sort.supports(KeyStorage::u16)) GTEST_SKIP() << testDevice().name() << " has no 'int16-storage'";
    const uint32_t tile = GetParam().tile;
    for (const uint32_t size : {0u, 1u, 2u, tile - 1, tile, tile + 1, 2 * tile + 1, 100'003u})
        expectSorted(sort, randomPairs<uint16_t>(size), {0, 16});
    for (const BitWindow window : {BitWindow{0, 11}, BitWindow{3, 16}, BitWindow{2, 9}})
        expectSorted(sort, randomPairs<uint16_t>(10'000), window);
}

TEST_P(RadixSortTest, CountsFarBelowTheCapacity) {
    const uint32_t tile = GetParam().tile;
    const SortVariant planned = forManyTiles(GetParam());
    for (const RadixSort& sort : {sorter(), RadixSort(testDevice(), planned)}) {
        for (const uint32_t size : {0u, 1u, tile - 1, tile, tile + 1, 3 * tile}) {
            const Pairs<uint32_t> pairs = randomPairs(size, 3);
            EXPECT_EQ(sortOnDevice(testDevice(), sort, pairs, {}, true, 5 * tile), sortOnHost(pairs, {})) << size;
        }
    }
}

/// Sorts of different sizes and passes in one recording that runs twice: none reads what another has left in the scratch memory.
TEST_P(RadixSortTest, SharesScratchMemory) {
    gpu::Device& device = testDevice();
    const RadixSort sort = sorter();
    const uint32_t tile = GetParam().tile;
    const Pairs<uint32_t> many = randomPairs(11 * tile + 3, 2), few = randomPairs(2 * tile + 1, 2);
    struct Sorted {
        const Pairs<uint32_t>& pairs;
        BitWindow window;
        gpu::Buffer keysA, payloadA, keysB, payloadB;
        uint32_t zeros;  ///< index of the zeros; kGarbage: none
        SortBuffers buffers() const { return {keysA, payloadA, keysB, payloadB}; }
    };
    std::vector<Sorted> sorts;
    const auto add = [&](const Pairs<uint32_t>& pairs, BitWindow window, uint32_t zeros) {
        const auto buffer = [&](const char* name) { return device.buffer<uint32_t>(name, pairs.keys.size()); };
        sorts.push_back({pairs, window, buffer("keys A"), buffer("payload A"), buffer("keys B"), buffer("payload B"), zeros});
    };
    add(many, {0, 32}, 1);
    add(few, {0, 12}, kGarbage);
    add(many, {3, 12}, kGarbage);
    add(few, {8, 32}, 0);
    const SortScratch scratch = RadixSort::scratch(device, "shared", 11 * tile + 3);
    const gpu::Buffer zeros = device.buffer<uint32_t>("zeros", 2 * size_t{shared::kSortCounters});
    constexpr VkDeviceSize kBytes = shared::kSortCounters * sizeof(uint32_t);
    gpu::Commands commands(device, "sorts");
    commands.fill(zeros, 0);
    for (const Sorted& s : sorts) {
        const SortBuffers buffers = s.buffers();
        sort.record(commands,
                    {.buffers = buffers,
                     .window = s.window,
                     .scratch = scratch,
                     .zeros = s.zeros == kGarbage ? gpu::BufferSlice{} : zeros.slice(s.zeros * kBytes, kBytes)},
                    {static_cast<uint32_t>(s.pairs.keys.size())});
    }
    commands.end();
    for (int run = 0; run < 2; ++run) {
        for (const Sorted& s : sorts) {
            device.upload(s.keysA, s.pairs.keys);
            device.upload(s.payloadA, s.pairs.payload);
        }
        device.wait(device.submit(commands));
        for (const Sorted& s : sorts) {
            const size_t count = s.pairs.keys.size();
            const Pairs<uint32_t> found{device.download<uint32_t>(sortedKeys(s.buffers(), s.window), count),
                                        device.download<uint32_t>(sortedPayload(s.buffers(), s.window), count)};
            EXPECT_EQ(found, sortOnHost(s.pairs, s.window)) << count << " pairs, run " << run;
        }
    }
}

TEST_P(RadixSortTest, ACountBeyondTheCapacityIsTheCapacity) {
    gpu::Device& device = testDevice();
    const RadixSort sort = sorter();
    const gpu::Buffer keysA = device.buffer<uint32_t>("keys A", 5), keysB = device.buffer<uint32_t>("keys B", 5);
    const gpu::Buffer payloadA = device.buffer<uint32_t>("payload A", 5), payloadB = device.buffer<uint32_t>("payload B", 5);
    const gpu::Buffer counts = device.buffer<uint32_t>("counts", 1);
    device.upload(keysA, std::vector<uint32_t>{5, 4, 3, 2, 1});
    device.upload(payloadA, std::vector<uint32_t>{5, 4, 3, 2, 1});
    device.upload(counts, std::vector<uint32_t>{1'000'000'000});
    const SortBuffers buffers{keysA, payloadA, keysB, payloadB};
    const SortScratch scratch = RadixSort::scratch(device, "sort", 4);
    device.run("sort", [&](gpu::Commands& c) {
        sort.record(c, {.buffers = buffers, .window = {0, 16}, .scratch = scratch}, {4, {counts, 0}});
    });
    EXPECT_EQ(device.download<uint32_t>(keysA, 5), (std::vector<uint32_t>{2, 3, 4, 5, 1}));
}

TEST_P(RadixSortTest, PassesTheSelfTest) { EXPECT_EQ(testSortVariant(testDevice(), GetParam()), ""); }

std::vector<SortVariant> withSmallTiles() {
    std::vector<SortVariant> variants(sortVariants().begin(), sortVariants().end());
    std::erase_if(variants, [](const SortVariant& variant) { return variant.spine != SortSpine::serial; });
    return variants;
}
INSTANTIATE_TEST_SUITE_P(Variants, RadixSortTest, testing::ValuesIn(sortVariants().begin(), sortVariants().end()), variantTestName);
INSTANTIATE_TEST_SUITE_P(Variants, SmallTiles, testing::ValuesIn(withSmallTiles()), variantTestName);

}  // namespace
}  // namespace splat::primitives
