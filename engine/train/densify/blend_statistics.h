#pragma once

#include <splatwright/render/backward.h>
#include <splatwright/train/loss/pixel_values.h>

namespace splat {

/// What a strategy gathers of the blending weights in every step, beside the densification statistics.
struct BlendStatistics {
    BlendSumsKind sums = BlendSumsKind::none;
    PixelValue pixelValue = PixelValue::none;  ///< of BlendSumsKind::values
    double errorThreshold = 0;                 ///< of PixelValue::highError

    bool wanted() const { return sums != BlendSumsKind::none; }
};

struct GatherJob {
    const FrameBuffers& frame;
    const BackwardBuffers& backward;
    gpu::BufferSlice gathered;  ///< shared::BlendSums per Gaussian; those of the step are added
};

/// Records the addition of the sums that a backward pass has left, for visible Gaussians.
void recordGather(gpu::Commands& commands, const GatherJob& job);

}  // namespace splat
