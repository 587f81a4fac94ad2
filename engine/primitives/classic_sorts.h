#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <splatwright/gpu/commands.h>

namespace splat::primitives {

// Sorts of u32 keys in ascending order that RadixSort is compared to (`bench sort --classic`).

/// Least-significant-digit radix sort with digits of 8 bits. `spare` has as many elements as the keys.
void radixSortOnHost(std::span<uint32_t> keys, std::span<uint32_t> spare);
/// Bitonic sort, the same comparisons as on the GPU.
void bitonicSortOnHost(std::span<uint32_t> keys);

/// Records phases of an odd-even transposition sort, one dispatch each; an even number of them may be repeated. `count` phases sort.
void recordOddEvenSort(gpu::Commands& commands, const gpu::BufferSlice& keys, uint32_t count, uint32_t phases);
/// A step of the bitonic network compares each key with one other: all indices with the bit `distance` clear are the lesser of a pair, whose other index
/// differs by the bits of `mask`. The lesser index gets the lesser key.
struct BitonicStep {
    uint32_t block = 0;     ///< keys that the step's merge brings in order
    uint32_t distance = 0;  ///< a power of two
    uint32_t mask = 0;      ///< the distance, or in the first step of a merge block - 1
};
/// The steps that sort so many keys, at most 2^31, in order.
std::vector<BitonicStep> bitonicSteps(uint32_t count);
/// Records one of them over the first `count` keys, in a dispatch of its own.
void recordBitonicStep(gpu::Commands& commands, const gpu::BufferSlice& keys, uint32_t count, const BitonicStep& step);
/// Records a bitonic sort of the first `count` keys, at most 2^31.
void recordBitonicSort(gpu::Commands& commands, const gpu::BufferSlice& keys, uint32_t count);

}  // namespace splat::primitives
