#pragma once

#include "render/backward.h"

namespace splat {

/// Adam's moments, one buffer an attribute, laid out as the model.
struct AdamMoments {
    AdamMoments(gpu::Device& device, uint32_t capacity);

    gpu::Buffer means, rotations, logScales, logitOpacities, sh0, shRest;
};

/// What of the mean's gradient on the image the densifier looks at.
enum class Statistics : uint32_t {
    none,
    gradient,          ///< its length
    absoluteGradient,  ///< the length of what pixels ask for without sign (AbsGS, Ye et al. 2024): opposite pulls do not cancel
};

struct UpdateJob {
    const GaussianModel& model;
    const AdamMoments& moments;
    gpu::BufferSlice growth;  ///< shared::GrowthStatistics a gaussian
    const FrameBuffers& frame;
    const BackwardBuffers& gradients;
    const ViewSelection& view;
    gpu::BufferSlice training;  ///< shared::TrainingState; counts gaussians whose numbers are not finite
    uint32_t seed = 0;
    Statistics statistics = Statistics::none;  ///< adds to `growth`
    bool regularise = false;                   ///< adds the gradients of the frame's opacityReg and scaleReg
    bool noise = false;                        ///< adds noise to the means, by the frame's lrNoise
};

/// Records the projection's backward pass fused with Adam's step, for the gradients that a backward pass has left.
void recordUpdate(gpu::Commands& commands, const UpdateJob& job);

}  // namespace splat
