#include <splatwright/primitives/classic_sorts.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/shared/primitives.h>
#include "kernels/sort_bitonic_merge.h"
#include "kernels/sort_bitonic_step.h"
#include "kernels/sort_bitonic_tiles.h"
#include "kernels/sort_odd_even.h"

namespace splat::primitives {

namespace {

constexpr uint32_t kMostKeys = 1u << 31u;

void check(const gpu::BufferSlice& keys, uint32_t count) {
    SPLAT_CHECK(count <= kMostKeys && uint64_t{count} * sizeof(uint32_t) <= keys.bytes, "{} keys in {} bytes", count, keys.bytes);
}

/// Compares all pairs whose indices differ by the bits of `mask`, the highest of which is `distance`.
void compareOnHost(std::span<uint32_t> keys, uint32_t distance, uint32_t mask) {
    for (size_t begin = 0; begin < keys.size(); begin += 2 * size_t{distance}) {
        for (size_t left = begin; left < begin + distance; ++left) {
            const size_t right = left ^ mask;
            if (right < keys.size() && keys[right] < keys[left]) std::swap(keys[left], keys[right]);
        }
    }
}

}  // namespace

void radixSortOnHost(std::span<uint32_t> keys, std::span<uint32_t> spare) {
    SPLAT_CHECK(spare.size() == keys.size(), "{} keys, {} elements to spare", keys.size(), spare.size());
    constexpr uint32_t kDigits = 256, kPasses = 4;  // an even number: the result is where the keys were
    std::array<std::array<size_t, kDigits>, kPasses> ends{};
    const auto digit = [](uint32_t key, uint32_t pass) { return key >> (8 * pass) & (kDigits - 1); };
    for (const uint32_t key : keys) {
        for (uint32_t pass = 0; pass < kPasses; ++pass) ++ends[pass][digit(key, pass)];
    }
    for (uint32_t pass = 0; pass < kPasses; ++pass) {
        size_t sum = 0;
        for (size_t& end : ends[pass]) sum += std::exchange(end, sum);
        for (const uint32_t key : keys) spare[ends[pass][digit(key, pass)]++] = key;
        std::swap(keys, spare);
    }
}

void bitonicSortOnHost(std::span<uint32_t> keys) {
    SPLAT_CHECK(keys.size() <= kMostKeys, "{} keys", keys.size());
    for (const BitonicStep& step : bitonicSteps(static_cast<uint32_t>(keys.size()))) compareOnHost(keys, step.distance, step.mask);
}

void recordOddEvenSort(gpu::Commands& commands, const gpu::BufferSlice& keys, uint32_t count, uint32_t phases) {
    check(keys, count);
    if (count < 2) return;
    for (uint32_t phase = 0; phase < phases; ++phase)
        commands.dispatch(kernels::sort_odd_even{.keys = keys, .count = count, .first = phase % 2}, count / 2);
}

std::vector<BitonicStep> bitonicSteps(uint32_t count) {
    SPLAT_CHECK(count <= kMostKeys, "{} keys", count);
    std::vector<BitonicStep> steps;
    for (uint32_t half = 1; half < count; half *= 2) {
        steps.push_back({2 * half, half, 2 * half - 1});
        for (uint32_t distance = half / 2; distance > 0; distance /= 2) steps.push_back({2 * half, distance, distance});
    }
    return steps;
}

void recordBitonicStep(gpu::Commands& commands, const gpu::BufferSlice& keys, uint32_t count, const BitonicStep& step) {
    check(keys, count);
    commands.dispatch(kernels::sort_bitonic_step{.keys = keys, .count = count, .distance = step.distance, .mask = step.mask},
                      std::bit_ceil(uint64_t{count}) / 2);
}

void recordBitonicSort(gpu::Commands& commands, const gpu::BufferSlice& keys, uint32_t count) {
    check(keys, count);
    if (count < 2) return;
    const uint64_t tiles = (uint64_t{count} + shared::kBitonicTile - 1) / shared::kBitonicTile;
    commands.dispatchGroups(kernels::sort_bitonic_tiles{.keys = keys, .count = count}, tiles);
    for (uint32_t half = shared::kBitonicTile; half < count; half *= 2) {
        for (uint32_t distance = half; distance >= shared::kBitonicTile; distance /= 2) {
            const uint32_t mask = distance == half ? 2 * half - 1 : distance;
            recordBitonicStep(commands, keys, count, {2 * half, distance, mask});
        }
        commands.dispatchGroups(kernels::sort_bitonic_merge{.keys = keys, .count = count}, tiles);
    }
}

}  // namespace splat::primitives
