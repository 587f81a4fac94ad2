#pragma once

#include <splatwright/gpu/commands.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/view.h>

namespace splat {

/// How much a frame can hold; it is grown when a frame says that it needs more.
struct FrameCapacity {
    uint32_t gaussians = 0;
    uint32_t instances = 0;  ///< pairs of a Gaussian and a tile
    uint32_t buckets = 0;    ///< groups of 32 splats of a tile, for backward passes that start from checkpoints; 0: none
    uint32_t width = 0;      ///< of the largest image, pixels
    uint32_t height = 0;
    bool backward = true;             ///< keeps the inputs of a backward pass, for at most kMostTrained Gaussians
    uint32_t carriedNumbers = 0;      ///< of a carried value of splats and pixels
    bool blendSums = false;           ///< its backward pass sums blending weights, too (BackwardBuffers::blendSums)
    VkDeviceSize transientBytes = 0;  ///< size of FrameBuffers::transient()

    /// Adds the capacity margin to what a frame needs: a quarter, at most a million, so that growth is rare.
    static uint32_t withMargin(uint32_t needed);

    static constexpr uint32_t kMostTrained = 1u << shared::kGaussianBits;

    /// Throws InputError for more than kMostPixels: no index of a kernel may wrap.
    uint32_t pixels() const;
    uint32_t tiles() const { return tileGrid(width, height).count(); }
};

/// Everything a frame writes, grouped by what it is per. The two sides of the sorts share two buffers; the one without the tile sort's result is
/// aliased by other work before and after.
struct FrameBuffers {
    FrameBuffers(gpu::Device& device, const FrameCapacity& capacity);

    FrameCapacity capacity;
    /// Storage of tile ids, and the bits that they are sorted by: the same for images of any size.
    primitives::KeyStorage tileKeys;
    primitives::BitWindow tileWindow;

    /// Aliased memory of transientBytes, free from the end of the tile sort to the start of the next frame.
    gpu::Arena transient() const;

    gpu::Buffer ping, pong;
    gpu::Buffer zeroed;  ///< memory of tileRanges, tileLast, the scans' states and the sorts' counters: zero when a frame begins
    // Per frame.
    gpu::Buffer state, parameters;
    gpu::Buffer activeCount, visibleCount, instanceCount, bucketCount;
    gpu::Buffer perGaussian, perVisible, perInstance;  // group counts
    // Per gaussian.
    gpu::Buffer projected, tileCounts;
    gpu::Buffer splatValues;  ///< numbersOf() floats per visible Gaussian: the carried value; one float if the capacity has none
    // Per visible gaussian, in index order (A at first) and in depth order (where the sort leaves it); up to the tile sort. Until the depth sort,
    // depthKeysB has the keys per Gaussian, as projected.
    gpu::Buffer gaussianFromVisible, depthKeysA, depthKeysB, gaussiansA, gaussiansB, firstInstances;
    // Per group of the emission of instances: the rank that its first instance belongs to; up to the tile sort.
    gpu::Buffer groupRanks;
    // Per tile of a scan (lib/scan/look_back.slang), and per sort (lib/sort/look_back.slang).
    gpu::Buffer visibleStates, instanceStates, depthCounters, tileCounters;
    // Per instance.
    gpu::Buffer tileKeysA, tileKeysB, instancesA, instancesB;
    // Per tile, per pixel, per bucket.
    gpu::Buffer tileRanges, tileOrder, tileLast;
    gpu::Buffer colours, transmittances, lastContributors;
    gpu::Buffer
        carried;  ///< numbersOf() floats per pixel: the carried value, blended like a colour over black; one float if the capacity has none
    gpu::Buffer buckets, checkpoints;
    primitives::SortScratch sortScratch;
};

}  // namespace splat
