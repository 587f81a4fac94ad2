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
    bool backward = true;        ///< keeps what a backward pass reads, for at most kMostTrained gaussians
    VkDeviceSize lateBytes = 0;  ///< for whoever works after the tile sort: FrameBuffers::late()

    /// For a capacity that a frame asked for, so that it is not asked for again soon: a quarter, but little of what is much.
    static uint32_t withHeadRoom(uint32_t needed);

    static constexpr uint32_t kMostTrained = 1u << 24u;  ///< shaders/lib/instances.slang

    uint32_t pixels() const { return width * height; }
    uint32_t tiles() const { return tileGrid(width, height).count(); }
};

/// Everything a frame writes, grouped by what it is per. What the sorts need lies in two pieces of memory, between which the tile sort goes back
/// and forth; the piece that does not hold its result serves others before and after.
struct FrameBuffers {
    FrameBuffers(gpu::Device& device, const FrameCapacity& capacity);

    FrameCapacity capacity;
    /// How tile ids lie in memory, and the bits of them that a sort looks at: the same for images of any size.
    primitives::KeyStorage tileKeys;
    primitives::BitWindow tileWindow;

    /// Memory of lateBytes, free from the end of the tile sort to the next frame's beginning.
    gpu::Parts late() const;

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

    // The parts of it, for whoever puts something else in the place of one.

    /// Opens a frame of as many gaussians as the word says: activeCount and perGaussian. Projection follows, and writes projected and tileCounts.
    void recordBegin(gpu::Commands& commands, gpu::BufferSlice gaussianCount, const FrameBuffers& frame) const;
    /// What was projected, listed by tile and front to back: tileRanges and gaussianFromInstance().
    void recordLists(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size) const;
    void recordBlend(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size) const;

    /// Where the tile sort leaves each instance's gaussian.
    static gpu::BufferSlice gaussianFromInstance(const FrameBuffers& frame);

private:
    void recordProjection(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view) const;
    void recordDepthOrder(gpu::Commands& commands, const FrameBuffers& frame) const;
    void recordInstances(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size) const;

    gpu::Device* device_;
    const primitives::RadixSort* sort_;
    primitives::ExclusiveScan scan_;
    primitives::Compaction compaction_;
    primitives::ScanScratch scanScratch_;
};

}  // namespace splat
