#pragma once

#include <splatwright/render/backward.h>

/// The kernels of the Slang playground's gsplat2d-diff (shaders/fit2d/README.md), for models whose rules have DemoKernels. They list each tile's blobs
/// by themselves; tiles with more than 256 take the frame's lists.
namespace splat {

/// Draws the model into the frame's colours and transmittances; its lists have been recorded.
void recordDemoPicture(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view);

/// Adds the gradients of the blobs' parameters to BackwardBuffers::gradients, in place of those of their splats.
void recordDemoBackward(gpu::Commands& commands, const GaussianModel& model, const BackwardJob& job);

}  // namespace splat
