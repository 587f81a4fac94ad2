#pragma once

#include "gpu/commands.h"
#include "primitives/compact.h"
#include "primitives/radix_sort.h"
#include "primitives/scan.h"
#include "render/model.h"
#include "render/view.h"

namespace splat {

/// How much a frame can hold; it is grown when a frame says that it needs more.
struct FrameCapacity {
    uint32_t gaussians = 0;
    uint32_t instances = 0;  ///< gaussians in tiles
    uint32_t buckets = 0;    ///< of 32 splats of a tile, for backward passes that start from checkpoints; 0: none
    uint32_t width = 0;      ///< of the largest image, pixels
    uint32_t height = 0;

    uint32_t pixels() const { return width * height; }
    uint32_t tiles() const { return tileGrid(width, height).count(); }
};

/// Everything a frame writes, grouped by what it is per.
struct FrameBuffers {
    FrameBuffers(gpu::Device& device, const FrameCapacity& capacity);

    FrameCapacity capacity;
    // Per frame.
    gpu::Buffer state, parameters;
    gpu::Buffer activeCount, visibleCount, instanceTotal, instanceCount, bucketCount;
    gpu::Buffer perGaussian, perVisible, perInstance;  // group counts
    // Per gaussian.
    gpu::Buffer projected, tileCounts;
    // Per visible gaussian, in index order (A at first) and in depth order (where the sort leaves it).
    gpu::Buffer gaussianFromVisible, depthKeysA, depthKeysB, gaussiansA, gaussiansB, firstInstances;
    // Per instance.
    gpu::Buffer tileKeysA, tileKeysB, instancesA, instancesB, subtilesOfInstance;
    // Per tile, per pixel, per bucket.
    gpu::Buffer tileRanges, tileOrder, tileLast;
    gpu::Buffer colours, transmittances, lastContributors;
    gpu::Buffer buckets, checkpoints;
    primitives::SortScratch sortScratch;
};

/// Which view of the views buffer a recording draws.
struct ViewSelection {
    gpu::BufferSlice views;  ///< shared::ViewParameters
    uint32_t index = 0;
    uint32_t width = 0;
    uint32_t height = 0;
};

/// Records the picture of a model: project, sort by depth, list by tile, blend. Counts stay on the GPU; a frame that exceeds a capacity
/// draws the background, marks the frame state as halted and says what it needs.
class Forward {
public:
    Forward(gpu::Device& device, const primitives::RadixSort& sort);

    void record(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view) const;

    /// Where the tile sort leaves each instance's gaussian, for an image of this size.
    static gpu::BufferSlice gaussianFromInstance(const FrameBuffers& frame, const ViewSelection& view);

private:
    void recordVisible(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view) const;
    void recordInstances(gpu::Commands& commands, const FrameBuffers& frame, const ViewSelection& view) const;
    void recordBlend(gpu::Commands& commands, const FrameBuffers& frame, const ViewSelection& view) const;

    gpu::Device* device_;
    const primitives::RadixSort* sort_;
    primitives::ExclusiveScan scan_;
    primitives::Compaction compaction_;
    primitives::ScanScratch scanScratch_;
};

}  // namespace splat
