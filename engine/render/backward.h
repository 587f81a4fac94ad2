#pragma once

#include <span>
#include <string_view>

#include <splatwright/render/forward.h>

namespace splat {

struct AccumulationRow;

/// What the backward pass writes: the gradient by what the blend reads of each gaussian.
struct BackwardBuffers {
    /// The large ones lie in what a frame of that capacity has for them.
    BackwardBuffers(gpu::Device& device, const FrameCapacity& capacity, const AccumulationRow& row, gpu::Arena& transient);
    static uint64_t transientBytes(const FrameCapacity& capacity, const AccumulationRow& row);

    gpu::Buffer gradients;  ///< shared::SplatGradient a gaussian; only those of visible ones mean something
    gpu::Buffer fixedSums;  ///< the same sums as 64-bit integers, for rows that need them: shaders/lib/blend/fixed_point.slang
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

/// A method that sums the gradients of the pixels that a splat covers: a value of --accumulate, a benchmark row and a test parameter. Each is a
/// file that defines its row, and the row's name in the table.
struct AccumulationRow {
    std::string_view name;
    std::string_view help;
    bool deterministic = false;  ///< bit-identical between runs on one device: sums in fixed point, and has memory for them
    bool checkpoints = false;    ///< starts from pixel states that the blend saved: the frame needs buckets
    void (*record)(gpu::Device& device, gpu::Commands& commands, const BackwardJob& job);
};

/// Gaussians that can be trained at most: what an instance's word numbers, or what the device can bind of the largest buffer of a step.
uint32_t mostGaussians(const gpu::Device& device, const AccumulationRow& row);

std::span<const AccumulationRow* const> accumulationTable();

/// Throws InputError listing the known names.
const AccumulationRow& accumulationByName(std::string_view name);

/// Records the blend's backward pass of the frame that was last recorded into the same buffers.
void recordBackward(gpu::Device& device, gpu::Commands& commands, const AccumulationRow& row, const BackwardJob& job);

}  // namespace splat
