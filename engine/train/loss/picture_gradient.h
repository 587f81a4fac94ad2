#pragma once

#include <splatwright/render/frame.h>
#include <splatwright/train/loss/targets.h>

namespace splat {

/// Gradient of the photometric loss of a drawn picture by its colours: float3 per pixel. The targets'
/// first photograph has the picture's size. For benchmarks and explanations of single pictures: allocates, and waits.
gpu::Buffer photometricGradient(gpu::Device& device, const FrameBuffers& frame, const shared::FrameParameters& parameters,
                                const Targets& targets, glm::uvec2 size);

}  // namespace splat
