#pragma once

#include <string>

#include <splatwright/primitives/radix_sort.h>

namespace splat::primitives {

/// Draws without replacement: each next item with a probability in proportion to its weight among those that are left. The items with the smallest
/// keys -log(u) / weight are drawn, found by a sort (Efraimidis and Spirakis 2006).
class DistinctDraws {
public:
    explicit DistinctDraws(gpu::Device& device) : device_(&device), sort_(device) {}

    /// Temporary buffers. Any number of calls may share them.
    struct Scratch {
        gpu::Buffer keysA, itemsA, keysB, itemsB;
        SortScratch sort;
    };
    Scratch scratch(const std::string& name, uint32_t capacity) const;

    struct Job {
        gpu::BufferSlice weights;  ///< float per item; 0, below or NaN: never drawn
        Word seed;                 ///< for shaders/lib/core/random.slang
        uint32_t stream = 0;       ///< random stream
        gpu::BufferSlice sources;  ///< u32 per draw: the item's index, in the order of the draws; unchanged from `drawn` on
        Word drawn;                ///< number of items drawn: the requested number, or that of all weights above 0 if it is less
        const Scratch& scratch;
    };
    void record(gpu::Commands& commands, const Job& job, const Count& items, const Count& draws) const;

private:
    gpu::Device* device_;
    RadixSort sort_;
};

}  // namespace splat::primitives
