#pragma once

#include <splatwright/render/frame.h>
#include <splatwright/train/loss/targets.h>

namespace splat {

/// Weights of the photometric loss, as of LossInputs.
struct PhotometricWeights {
    float ssimLambda = 0.2F;
    float l2Share = 0;
};

/// Gradient of the photometric loss of a drawn picture by its colours: float3 per pixel. The targets'
/// first photograph has the picture's size. For benchmarks and explanations of single pictures: allocates, and waits.
gpu::Buffer photometricGradient(gpu::Device& device, const FrameBuffers& frame, const shared::FrameParameters& parameters,
                                const Targets& targets, glm::uvec2 size, const PhotometricWeights& weights = {});

}  // namespace splat
