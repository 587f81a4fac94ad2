#pragma once

#include "render/backward.h"

namespace splat {

/// Adam's moments, one buffer an attribute, laid out as the model.
struct AdamMoments {
    AdamMoments(gpu::Device& device, uint32_t capacity);

    gpu::Buffer means, rotations, logScales, logitOpacities, sh0, shRest;
};

/// Records the projection's backward pass fused with Adam's step, for the gradients that a backward pass has left.
void recordUpdate(gpu::Commands& commands, const GaussianModel& model, const AdamMoments& moments, const FrameBuffers& frame,
                  const BackwardBuffers& gradients, const AccumulationRow& row, const ViewSelection& view);

}  // namespace splat
