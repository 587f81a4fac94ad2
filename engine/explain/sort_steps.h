#pragma once

#include <string>

#include <splatwright/explain/tile_list.h>
#include <splatwright/primitives/classic_sorts.h>

namespace splat::explain {

/// What a sort moves: keys of depths, with the Gaussians.
struct SortedPairs {
    std::vector<uint32_t> keys;
    std::vector<uint32_t> payload;

    bool operator==(const SortedPairs&) const = default;
};

/// The tile's splats before any sort: by index, as the compaction lists them.
SortedPairs unsortedPairs(std::vector<ListedSplat> list);

/// A pass of the radix sort over one digit of 8 bits.
struct RadixPass {
    uint32_t firstBit = 0;
    std::vector<uint32_t> histogram;  ///< keys per digit
    std::vector<uint32_t> prefix;     ///< keys with a lesser digit: where the digit's first key goes
    SortedPairs after;                ///< in the other buffer
    std::vector<uint32_t> places;     ///< of each key before the pass, in the order there: its index after it
};

struct RadixSteps {
    std::string variant;  ///< of the sort: one that leaves its counts in memory
    std::vector<RadixPass> passes;
};

/// Sorts by the lowest bits on the device, by primitives::RadixSort, and reads back all that each pass leaves. `keyBits`: a multiple of 8; the payload's
/// numbers differ.
RadixSteps traceRadixSort(gpu::Device& device, const SortedPairs& pairs, uint32_t keyBits = 32);

/// The network's steps, and the keys before the first and after each of them.
struct BitonicSteps {
    std::vector<primitives::BitonicStep> steps;
    std::vector<std::vector<uint32_t>> keys;
};

/// Sorts on the device, a dispatch per step.
BitonicSteps traceBitonicSort(gpu::Device& device, const std::vector<uint32_t>& keys);

}  // namespace splat::explain
