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
    uint32_t firstBit = 0;
    uint32_t bits = 0;
    uint32_t pinnedSubgroup = 0;  ///< 0: whatever size the driver takes
};

/// How the counts of the groups become sums.
enum class SortSpine {
    subgroup,  ///< a group a digit
    portable,  ///< ... with groupshared memory alone
    serial,    ///< a thread a digit: sooner done where there are few groups, and where starting one is not free
};

/// What a variant was tuned on; the self test tries those for the device's kind first.
enum class TunedFor { gpu, software };

/// A way to sort: a row here is tested, timed and, when it is the first to pass the self test, used.
struct SortVariant {
    std::string_view name;
    bool (*available)(const gpu::Device&);
    TunedFor tunedFor;
    uint32_t tile;       ///< keys that a group ranks at a time
    uint32_t maxGroups;  ///< that share the input
    SortSpine spine;
    /// Dispatches the scatter kernel over host-side groups, or indirectly where the slice is not empty.
    void (*scatter)(gpu::Commands&, const SortPass&, const SortVariant&, uint32_t groups, const gpu::BufferSlice& arguments);
};

/// Sorts small inputs and names what is wrong with the result; empty when nothing is.
std::string testSortVariant(gpu::Device& device, const SortVariant& variant);

}  // namespace splat::primitives
