#pragma once

#include <span>
#include <string_view>

#include <splatwright/render/forward.h>

namespace splat {

struct AccumulationRow;

/// Outputs of the blend's backward pass: gradients of projected splats.
struct BackwardBuffers {
    /// Large buffers are allocated from the frame's transient memory.
    BackwardBuffers(gpu::Device& device, const FrameCapacity& capacity, const AccumulationRow& row, gpu::Arena& transient);
    static uint64_t transientBytes(const FrameCapacity& capacity, const AccumulationRow& row);

    gpu::Buffer gradients;  ///< shared::SplatGradient per Gaussian; undefined for invisible ones
    gpu::Buffer fixedSums;  ///< the same sums as 64-bit integers, for rows that need them: shaders/lib/blend/fixed_point.slang
    gpu::Buffer updateCount;
    gpu::Buffer perBucket, perUpdate;  ///< group counts
};

struct BackwardJob {
    const FrameBuffers& frame;
    const BackwardBuffers& buffers;
    const ViewSelection& view;
    gpu::BufferSlice colourGradients;  ///< float3 per pixel: dL/dcolour
    bool clampGradients = false;       ///< clamp each pixel's gradient to +-10; tree-cas only
    bool absolute = false;             ///< also sum absolute gradients of the mean (AbsGS)
};

/// A method of summing a splat's gradients over its pixels: a value of --accumulate, a benchmark row and a test parameter. One file defines its row,
/// and the table lists the row's name.
struct AccumulationRow {
    std::string_view name;
    std::string_view help;
    bool deterministic = false;  ///< bit-identical between runs on one device, by fixed-point sums
    bool checkpoints = false;    ///< needs the blend's checkpoints: the frame must have buckets
    void (*record)(gpu::Device& device, gpu::Commands& commands, const BackwardJob& job);
};

/// Maximum number of Gaussians in training, limited by the bits of an instance and by the device's largest buffer binding.
uint32_t mostGaussians(const gpu::Device& device, const AccumulationRow& row);

std::span<const AccumulationRow* const> accumulationTable();

/// Throws InputError listing the known names.
const AccumulationRow& accumulationByName(std::string_view name);

/// Records the backward pass of the blend that was last recorded with the same frame buffers.
void recordBackward(gpu::Device& device, gpu::Commands& commands, const AccumulationRow& row, const BackwardJob& job);

}  // namespace splat
