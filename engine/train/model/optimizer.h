#pragma once

#include <splatwright/render/backward.h>
#include <splatwright/shared/training.h>
#include <splatwright/train/loss/regularisers.h>

namespace splat {

/// Adam's moments of every attribute, laid out as the model: (m, v) per Gaussian and plane, or both packed into 16 bits each.
struct AdamMoments : AttributeBuffers {
    AdamMoments(gpu::Device& device, uint32_t capacity);
};

/// The kernel with the moments' buffers, as far as it has members for them.
template <class Kernel>
Kernel withMoments(Kernel kernel, const AdamMoments& moments) {
    moments.bind(kernel, "Moments");
    return kernel;
}

/// What of the mean's gradient on the image the densifier looks at.
enum class Statistics : uint32_t {
    none,
    gradient,          ///< its length
    absoluteGradient,  ///< the length of what pixels ask for without sign (AbsGS, Ye et al. 2024): opposite pulls do not cancel
};

struct UpdateJob {
    const GaussianModel& model;
    const AdamMoments& moments;
    gpu::BufferSlice densifyStatistics;  ///< shared::DensifyStatistics a gaussian
    const FrameBuffers& frame;
    const BackwardBuffers& gradients;
    const ViewSelection& view;
    gpu::BufferSlice step;      ///< shared::StepParameters
    gpu::BufferSlice training;  ///< shared::TrainingState; counts gaussians whose numbers are not finite
    uint32_t seed = 0;
    Statistics statistics = Statistics::none;  ///< adds to `densifyStatistics`
    glm::vec4 regularisers{0};                 ///< weights of terms whose gradients it adds: regulariserWeights()
    UnseenRule unseen;                         ///< of the regularisers
    bool noise = false;                        ///< adds noise to the means, by the step's lrNoise
};

/// Records the projection's backward pass fused with Adam's step, for the gradients that a backward pass has left.
void recordUpdate(gpu::Commands& commands, const UpdateJob& job);

}  // namespace splat
