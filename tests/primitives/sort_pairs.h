// Pairs to sort, and sorting them on the host and on a device.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/primitives/sort_variants.h>

namespace splat::primitives {

inline constexpr uint32_t kGarbage = 0xdeadbeef;
inline constexpr uint32_t kSpare = 100;  // elements beyond the count, which must stay as they are

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
std::vector<T> withGarbage(std::vector<T> values, uint32_t spare) {
    values.resize(values.size() + spare, static_cast<T>(kGarbage));
    return values;
}

/// Cuts off what lies beyond the count, after a look at it.
template <class T>
std::vector<T> withoutGarbage(std::vector<T> values, uint32_t spare) {
    const size_t count = values.size() - spare;
    EXPECT_EQ(std::count(values.begin() + static_cast<std::ptrdiff_t>(count), values.end(), static_cast<T>(kGarbage)), spare)
        << "beyond the count";
    values.resize(count);
    return values;
}

template <class Key>
Pairs<Key> sortOnDevice(gpu::Device& device, const RadixSort& sort, const Pairs<Key>& pairs, BitWindow window, bool countOnGpu = true,
                        uint32_t spare = kSpare) {
    const auto count = static_cast<uint32_t>(pairs.keys.size());
    const gpu::Buffer keysA = device.buffer<Key>("keys A", count + spare), keysB = device.buffer<Key>("keys B", count + spare);
    const gpu::Buffer payloadA = device.buffer<uint32_t>("payload A", count + spare),
                      payloadB = device.buffer<uint32_t>("payload B", count + spare);
    const gpu::Buffer counts = device.buffer<uint32_t>("counts", 2);
    device.upload(counts, std::vector<uint32_t>{kGarbage, count});
    for (const gpu::Buffer* keys : {&keysA, &keysB}) device.upload(*keys, withGarbage(pairs.keys, spare));
    for (const gpu::Buffer* payload : {&payloadA, &payloadB}) device.upload(*payload, withGarbage(pairs.payload, spare));

    const SortBuffers buffers{keysA, payloadA, keysB, payloadB};
    const SortScratch scratch = RadixSort::scratch(device, "sort", count + spare);
    const RadixSort::Job job{
        .buffers = buffers, .window = window, .storage = sizeof(Key) == 2 ? KeyStorage::u16 : KeyStorage::u32, .scratch = scratch};
    device.run("sort", [&](gpu::Commands& c) { sort.record(c, job, countOnGpu ? Count{count + spare, {counts, 1}} : Count{count}); });
    return {withoutGarbage(device.download<Key>(sortedKeys(buffers, window), count + spare), spare),
            withoutGarbage(device.download<uint32_t>(sortedPayload(buffers, window), count + spare), spare)};
}

inline std::string variantTestName(const testing::TestParamInfo<SortVariant>& info) {
    std::string name(info.param.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

}  // namespace splat::primitives
