#pragma once

#include <span>
#include <string_view>

#include "render/forward.h"

namespace splat {

struct AccumulationRow;

/// What the backward pass writes: the gradient by what the blend reads of each gaussian.
struct BackwardBuffers {
    /// The large ones lie in what a frame of that capacity has for them.
    BackwardBuffers(gpu::Device& device, const FrameCapacity& capacity, const AccumulationRow& row, gpu::Parts& late);
    static uint64_t lateBytes(const FrameCapacity& capacity, const AccumulationRow& row);

    gpu::Buffer gradients;  ///< shared::SplatGradient a gaussian; only those of visible ones mean something
    gpu::Buffer fixedSums;  ///< the same sums as 64-bit integers, for rows that need them: shaders/lib/fixed_point.slang
    gpu::Buffer updateCount;
    gpu::Buffer perBucket, perUpdate;  ///< group counts
};

struct BackwardJob {
    const FrameBuffers& frame;
    const BackwardBuffers& buffers;
    const ViewSelection& view;
    gpu::BufferSlice colourGradients;  ///< float3 a pixel: dL/dcolour
    bool clampGradients = false;       ///< tree-cas only: each pixel's gradient is clamped to +-10
    bool absolute = false;             ///< the mean's gradient without sign too
};

/// A way to sum the gradients of the pixels a splat covers: a row here is the value of --accumulate, a benchmark row and a test parameter.
struct AccumulationRow {
    std::string_view name;
    std::string_view help;
    bool deterministic;  ///< bit-identical between runs on one device: sums in fixed point, and has memory for them
    bool checkpoints;    ///< starts from pixel states that the blend saved: the frame needs buckets
    void (*record)(gpu::Device& device, gpu::Commands& commands, const BackwardJob& job);
};

std::span<const AccumulationRow> accumulationTable();

/// Throws InputError listing the known names.
const AccumulationRow& accumulationByName(std::string_view name);

/// Records the blend's backward pass of the frame that was last recorded into the same buffers.
void recordBackward(gpu::Device& device, gpu::Commands& commands, const AccumulationRow& row, const BackwardJob& job);

}  // namespace splat
