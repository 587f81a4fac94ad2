#include <splatwright/primitives/radix_sort.h>

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/primitives/sort_variants.h>
#include "support/test_device.h"

namespace splat::primitives {
namespace {

constexpr uint32_t kGarbage = 0xdeadbeef;
constexpr uint32_t kSpare = 100;  // elements beyond the count, which must stay as they are

template <class Key>
struct Pairs {
    std::vector<Key> keys;
    std::vector<uint32_t> payload;
    bool operator==(const Pairs&) const = default;
};

template <class Key>
Pairs<Key> sortOnHost(const Pairs<Key>& pairs, BitWindow window) {
    const uint64_t mask = (uint64_t{1} << window.bits()) - 1;
    const auto digits = [&](uint32_t i) { return pairs.keys[i] >> window.begin & mask; };
    std::vector<uint32_t> order(pairs.keys.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t l, uint32_t r) { return digits(l) < digits(r); });
    Pairs<Key> sorted;
    for (uint32_t i : order) {
        sorted.keys.push_back(pairs.keys[i]);
        sorted.payload.push_back(pairs.payload[i]);
    }
    return sorted;
}

/// Keys with payloads that tell equal keys apart. More draws leave fewer bits set, and so more equal digits.
template <class Key = uint32_t>
Pairs<Key> randomPairs(uint32_t count, int draws = 1) {
    std::mt19937 random(count);
    Pairs<Key> pairs{std::vector<Key>(count), std::vector<uint32_t>(count)};
    for (Key& key : pairs.keys) {
        key = static_cast<Key>(random());
        for (int d = 1; d < draws; ++d) key = static_cast<Key>(key & random());
    }
    std::iota(pairs.payload.begin(), pairs.payload.end(), 7u);
    return pairs;
}

template <class T>
std::vector<T> withGarbage(std::vector<T> values) {
    values.resize(values.size() + kSpare, static_cast<T>(kGarbage));
    return values;
}

/// Cuts off what lies beyond the count, after a look at it.
template <class T>
std::vector<T> withoutGarbage(std::vector<T> values) {
    const size_t count = values.size() - kSpare;
    EXPECT_EQ(std::count(values.begin() + static_cast<std::ptrdiff_t>(count), values.end(), static_cast<T>(kGarbage)), kSpare)
        << "beyond the count";
    values.resize(count);
    return values;
}

template <class Key>
Pairs<Key> sortOnDevice(gpu::Device& device, const RadixSort& sort, const Pairs<Key>& pairs, BitWindow window, bool countOnGpu = true) {
    const auto count = static_cast<uint32_t>(pairs.keys.size());
    const gpu::Buffer keysA = device.buffer<Key>("keys A", count + kSpare), keysB = device.buffer<Key>("keys B", count + kSpare);
    const gpu::Buffer payloadA = device.buffer<uint32_t>("payload A", count + kSpare),
                      payloadB = device.buffer<uint32_t>("payload B", count + kSpare);
    const gpu::Buffer counts = device.buffer<uint32_t>("counts", 2);
    device.upload(counts, std::vector<uint32_t>{kGarbage, count});
    for (const gpu::Buffer* keys : {&keysA, &keysB}) device.upload(*keys, withGarbage(pairs.keys));
    for (const gpu::Buffer* payload : {&payloadA, &payloadB}) device.upload(*payload, withGarbage(pairs.payload));

    const SortBuffers buffers{keysA, payloadA, keysB, payloadB};
    const SortScratch scratch = RadixSort::scratch(device, "sort", count + kSpare);
    const RadixSort::Job job{
        .buffers = buffers, .window = window, .storage = sizeof(Key) == 2 ? KeyStorage::u16 : KeyStorage::u32, .scratch = scratch};
    device.run("sort", [&](gpu::Commands& c) { sort.record(c, job, countOnGpu ? Count{count + kSpare, {counts, 1}} : Count{count}); });
    return {withoutGarbage(device.download<Key>(sortedKeys(buffers, window), count + kSpare)),
            withoutGarbage(device.download<uint32_t>(sortedPayload(buffers, window), count + kSpare))};
}

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
    const uint32_t tile = sort.variant().tile;
    std::vector<uint32_t> sizes{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257};
    for (uint32_t tiles : {1u, 2u, 3u, 17u}) {
        for (uint32_t off : {0u, 1u, 2u}) sizes.push_back(tiles * tile - 1 + off);
    }
    for (uint32_t n = tile + 2; n < 2 * tile; n += tile / 7) sizes.push_back(n);
    for (uint32_t size : sizes) expectSorted(sort, randomPairs(size, 2), {0, 16}, size % 2 == 0);
}

TEST_P(RadixSortTest, SortsManyKeys) {
    const RadixSort sort = sorter();
    expectSorted(sort, randomPairs(300'000), {});
    expectSorted(sort, randomPairs(123'457, 4), {});
}

TEST_P(RadixSortTest, SortsFewKeysAsItSortsMany) {
    const SortVariant variant = forManyTiles(sorter().variant());
    const RadixSort sort(testDevice(), variant);
    const uint32_t tile = variant.tile;
    for (const uint32_t size : {0u, 1u, 255u, tile - 1, tile, tile + 1, 3 * tile, 9 * tile + 100}) {
        expectSorted(sort, randomPairs(size, 2), {}, size % 2 == 0);
    }
}

/// The variants with small tiles, which take the other spines too: inputs of as many large tiles would take long.
class SmallTiles : public RadixSortTest {};

TEST_P(SmallTiles, SortMoreTilesThanARowsThreadsTakeAtOnce) {
    SortVariant variant = forManyTiles(sorter().variant());
    variant.spine = variant.name.starts_with("portable") ? SortSpine::portable : SortSpine::subgroup;
    expectSorted(RadixSort(testDevice(), variant), randomPairs(variant.tile * shared::kSortRowItems * shared::kSortThreads + 5), {0, 8});
}

TEST_P(RadixSortTest, SortsAnyBitWindow) {
    const RadixSort sort = sorter();
    const Pairs<uint32_t> pairs = randomPairs(10'000);
    for (const BitWindow window : {BitWindow{0, 0}, BitWindow{0, 1}, BitWindow{31, 32}, BitWindow{0, 8}, BitWindow{5, 18}, BitWindow{8, 32},
                                   BitWindow{1, 32}, BitWindow{13, 29}, BitWindow{24, 32}}) {
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
    const uint32_t tile = sort.variant().tile;
    for (const uint32_t size : {0u, 1u, 2u, tile - 1, tile, tile + 1, 2 * tile + 1, 100'003u})
        expectSorted(sort, randomPairs<uint16_t>(size), {0, 16});
    for (const BitWindow window : {BitWindow{0, 11}, BitWindow{3, 16}, BitWindow{2, 9}})
        expectSorted(sort, randomPairs<uint16_t>(10'000), window);
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

TEST_P(RadixSortTest, PassesTheSelfTest) {
    const RadixSort sort = sorter();
    EXPECT_EQ(testSortVariant(testDevice(), sort.variant()), "");
}

std::string variantTestName(const testing::TestParamInfo<SortVariant>& info) {
    std::string name(info.param.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
std::vector<SortVariant> withSmallTiles() {
    std::vector<SortVariant> variants(sortVariants().begin(), sortVariants().end());
    std::erase_if(variants, [](const SortVariant& variant) { return variant.spine != SortSpine::serial; });
    return variants;
}
INSTANTIATE_TEST_SUITE_P(Variants, RadixSortTest, testing::ValuesIn(sortVariants().begin(), sortVariants().end()), variantTestName);
INSTANTIATE_TEST_SUITE_P(Variants, SmallTiles, testing::ValuesIn(withSmallTiles()), variantTestName);

/// A device of its own without one feature, and what is picked there.
class RadixSortWithoutTest : public testing::TestWithParam<const char*> {};

TEST_P(RadixSortWithoutTest, PicksAVariantThatSorts) {
    gpu::Device device(testDeviceOptions({GetParam()}));
    const RadixSort sort(device);
    EXPECT_TRUE(sort.selfTest().passed);
    EXPECT_EQ(sort.selfTest().variant, sort.variant().name);
    EXPECT_EQ(sort.selfTest().failures, "");
    const Pairs<uint32_t> pairs = randomPairs(30'000, 2);
    EXPECT_EQ(sortOnDevice(device, sort, pairs, {}), sortOnHost(pairs, {}));
    EXPECT_EQ(device.validationMessages(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Features, RadixSortWithoutTest,
                         testing::Values("subgroup-operations", "subgroup-size-control", "push-descriptors", "int16-storage", "timestamps"),
                         [](const auto& p) {
                             std::string name(p.param);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(RadixSortSelfTest, WithoutSubgroupOperationsAPortableVariantIsPicked) {
    gpu::Device device(testDeviceOptions({"subgroup-operations"}));
    EXPECT_NE(RadixSort(device).selfTest().variant.find("portable"), std::string_view::npos);
}

}  // namespace
}  // namespace splat::primitives
