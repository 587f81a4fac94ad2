#pragma once

#include <cstdint>
#include <span>

#include <splatwright/gpu/commands.h>

namespace splat::primitives {

// Sorts of u32 keys in ascending order that RadixSort is compared to (`bench sort --classic`).

/// Least-significant-digit radix sort with digits of 8 bits. `spare` has as many elements as the keys.
void radixSortOnHost(std::span<uint32_t> keys, std::span<uint32_t> spare);
/// Bitonic sort, the same comparisons as on the GPU.
void bitonicSortOnHost(std::span<uint32_t> keys);

/// Records phases of an odd-even transposition sort, one dispatch each; an even number of them may be repeated. `count` phases sort.
void recordOddEvenSort(gpu::Commands& commands, const gpu::BufferSlice& keys, uint32_t count, uint32_t phases);
/// Records a bitonic sort of the first `count` keys, at most 2^31.
void recordBitonicSort(gpu::Commands& commands, const gpu::BufferSlice& keys, uint32_t count);

}  // namespace splat::primitives
