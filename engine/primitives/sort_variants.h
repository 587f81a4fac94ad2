#pragma once

#include <splatwright/primitives/radix_sort.h>

namespace splat::primitives {

/// Arguments of one pass of a sort.
struct SortPass {
    gpu::BufferSlice keysIn, payloadIn, keysOut, payloadOut;
    gpu::BufferSlice histograms;  ///< of the look-back: states
    gpu::BufferSlice counts;
    gpu::BufferSlice counters;  ///< totals of the digits; of the look-back those of all passes
    KeyStorage storage = KeyStorage::u32;
    uint32_t atMost = 0;
    uint32_t countIndex = 0;
    uint32_t index = 0;
    uint32_t rowLength = 0;  ///< counts per digit; 0: few tiles, and counts are stored tile by tile
    uint32_t firstBit = 0;
    uint32_t bits = 0;
};

/// How tiles obtain the counts of the tiles before.
enum class SortSpine {
    lookBack,  ///< from what these have published: all digits are counted at the start, and each pass is one kernel
    subgroup,  ///< one group per digit
    portable,  ///< one group per digit, with groupshared memory only
    serial,    ///< one thread per digit: for devices with costly group launches
};

/// How the tiles of a pass wait for those before (shaders/lib/sort/look_back.slang).
struct LookBack {
    uint32_t polls = 0;   ///< failed polls of a group, in all, before it counts missing tiles itself
    uint32_t silent = 0;  ///< tiles with one of these bits in their number publish nothing; for tests
    uint32_t alone = 0;   ///< 1: what a group counts instead of another it does not publish either; for tests
};

/// The kind of device that a variant was tuned on. The self test tries variants for the device's kind first.
enum class TunedFor { gpu, software };

/// A sort variant: every row is tested and timed. The first rows that pass the self test are used, each up to its largest capacity.
struct SortVariant {
    std::string_view name;
    std::string (*missing)(gpu::Device&);  ///< what the device lacks to run it; empty: nothing
    TunedFor tunedFor;
    uint32_t best;         ///< largest capacity that it is used for, if a later row that sorts correctly is for larger ones
    uint32_t tile;         ///< keys per group
    uint32_t fewTiles;     ///< up to this many tiles, scatter groups add up the counts themselves, which saves one dispatch per pass
    uint32_t directTiles;  ///< up to this many tiles, groups are launched for the whole capacity instead of the count on the GPU
    SortSpine spine;
    /// Dispatches the scatter kernel, as dispatchTiles() does.
    void (*scatter)(gpu::Commands&, const SortVariant&, const SortPass&, uint32_t groups, const gpu::BufferSlice& arguments);
    LookBack lookBack{};

    bool available(gpu::Device& device) const { return missing(device).empty(); }
    /// Whether sorts of this capacity are possible: states of the look-back have 28 bits for a number of pairs.
    bool sorts(uint32_t capacity) const { return spine != SortSpine::lookBack || capacity >> shared::kSortCountBits == 0; }
};

/// Dispatches a kernel with one group per tile: over host-side groups, or indirectly if the slice is not empty.
template <class Kernel>
void dispatchTiles(gpu::Commands& commands, const Kernel& kernel, uint32_t groups, const gpu::BufferSlice& arguments) {
    if (arguments) {
        commands.dispatchIndirect(kernel, arguments);
    } else {
        commands.dispatchGroups(kernel, groups);
    }
}

/// The variant with its path for many tiles at any capacity, planned on the GPU; for tests.
inline SortVariant forManyTiles(SortVariant variant) {
    variant.fewTiles = variant.directTiles = 0;
    return variant;
}

/// Sorts small inputs. Returns what is wrong with the result; empty if it is correct.
std::string testSortVariant(gpu::Device& device, const SortVariant& variant);

}  // namespace splat::primitives
