#pragma once

#include "primitives/radix_sort.h"

namespace splat::primitives {

/// One pass of a sort, as the kernels of a variant take it.
struct SortPass {
    gpu::BufferSlice keysIn, payloadIn, keysOut, payloadOut;
    gpu::BufferSlice histograms, digitTotals, counts;
    KeyStorage storage = KeyStorage::u32;
    uint32_t atMost = 0;
    uint32_t countIndex = 0;
    uint32_t rowLength = 0;  ///< of a digit's counts; 0: tiles are few, and the counts lie tile by tile
    uint32_t firstBit = 0;
    uint32_t bits = 0;
};

/// How the counts of many tiles become sums.
enum class SortSpine {
    subgroup,  ///< a group a digit
    portable,  ///< ... with groupshared memory alone
    serial,    ///< a thread a digit: for devices where starting a group is not free
};

/// What a variant was tuned on; the self test tries those for the device's kind first.
enum class TunedFor { gpu, software };

/// A way to sort: a row here is tested, timed and, when it is the first to pass the self test, used.
struct SortVariant {
    std::string_view name;
    bool (*available)(const gpu::Device&);
    TunedFor tunedFor;
    uint32_t tile;         ///< keys of a group
    uint32_t fewTiles;     ///< for up to so many, scatter groups add up the counts themselves: a dispatch less a pass
    uint32_t directTiles;  ///< for up to so many, groups are started for the whole capacity: no plan from the count on the GPU
    SortSpine spine;
    /// Dispatches the scatter kernel over host-side groups, or indirectly where the slice is not empty.
    void (*scatter)(gpu::Commands&, const SortPass&, uint32_t groups, const gpu::BufferSlice& arguments);
};

/// The variant as it works when there are many tiles, whatever the capacity.
inline SortVariant forManyTiles(SortVariant variant) {
    variant.fewTiles = variant.directTiles = 0;
    return variant;
}

/// Sorts small inputs and names what is wrong with the result; empty when nothing is.
std::string testSortVariant(gpu::Device& device, const SortVariant& variant);

}  // namespace splat::primitives
