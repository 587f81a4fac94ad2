#pragma once

#include <splatwright/gpu/commands.h>
#include <splatwright/primitives/compact.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/primitives/scan.h>
#include <splatwright/render/model.h>
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
    bool inverseDepths = false;       ///< holds blended inverse depths
    VkDeviceSize transientBytes = 0;  ///< size of FrameBuffers::transient()

    /// Adds the capacity margin to what a frame needs: a quarter, at most a million, so that growth is rare.
    static uint32_t withMargin(uint32_t needed);

    static constexpr uint32_t kMostTrained = 1u << shared::kGaussianBits;

    uint32_t pixels() const { return width * height; }
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
    // Per frame.
    gpu::Buffer state, parameters;
    gpu::Buffer activeCount, visibleCount, instanceTotal, instanceCount, bucketCount;
    gpu::Buffer perGaussian, perVisible, perInstance;  // group counts
    // Per gaussian.
    gpu::Buffer projected, tileCounts;
    // Per visible gaussian, in index order (A at first) and in depth order (where the sort leaves it); up to the tile sort.
    gpu::Buffer gaussianFromVisible, depthKeysA, depthKeysB, gaussiansA, gaussiansB, firstInstances;
    // Per instance.
    gpu::Buffer tileKeysA, tileKeysB, instancesA, instancesB;
    /// Filled with zeros when a frame begins, where nothing waits for it: counters of the two sorts, and tileRanges.
    gpu::Buffer zeroed, depthCounters, tileCounters;
    // Per tile, per pixel, per bucket.
    gpu::Buffer tileRanges, tileOrder, tileLast;
    gpu::Buffer colours, transmittances, lastContributors;
    gpu::Buffer inverseDepths;  ///< float per pixel: 1 / camera z, blended like a colour over black; of one pixel if the capacity has none
    gpu::Buffer buckets, checkpoints;
    primitives::SortScratch sortScratch;
};

/// Which view of the views buffer a recording draws.
struct ViewSelection {
    gpu::BufferSlice views;  ///< shared::ViewParameters
    uint32_t index = 0;
    uint32_t width = 0;
    uint32_t height = 0;
    bool inverseDepths = false;  ///< also blends FrameBuffers::inverseDepths, and propagates their gradient
};

/// Records the picture of a model: project, sort by depth, list by tile, blend. Counts stay on the GPU; a frame that exceeds a capacity
/// draws the background, marks the frame state as halted and says what it needs.
class Forward {
public:
    Forward(gpu::Device& device, const primitives::RadixSort& sort);

    void record(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view) const;

    // Its individual passes, for callers that replace one of them.

    /// Opens a frame of as many gaussians as the word says: activeCount and perGaussian. Projection follows, and writes projected and tileCounts.
    void recordBegin(gpu::Commands& commands, gpu::BufferSlice gaussianCount, const FrameBuffers& frame) const;
    /// What was projected, listed by tile and front to back: tileRanges and gaussianFromInstance().
    void recordLists(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size) const;
    void recordBlend(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size, bool inverseDepths = false) const;

    /// Where the tile sort leaves each instance's gaussian.
    static gpu::BufferSlice gaussianFromInstance(const FrameBuffers& frame);

private:
    void recordProjection(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view) const;
    void recordDepthOrder(gpu::Commands& commands, const FrameBuffers& frame) const;
    void recordInstances(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size) const;

    gpu::Device* device_;
    const primitives::RadixSort* sort_;
    primitives::ExclusiveScan scan_;
    primitives::GroupScan compaction_;  ///< variant that lists the visible
    primitives::ScanScratch scanScratch_;
};

}  // namespace splat
