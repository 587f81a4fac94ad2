#pragma once

#include <splatwright/gpu/buffer.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// When the regularisers act on a Gaussian that the step's view does not see. By default they never do.
struct UnseenRule {
    uint32_t fadeSteps = 0;           ///< they act for so many steps since a view saw it,
    uint32_t goneSteps = UINT32_MAX;  ///< and again after so many
    gpu::BufferSlice steps;           ///< uint per Gaussian: those steps before this one; may be empty or too short if nothing is counted

    bool counts() const { return fadeSteps > 0; }
};

/// The rule of `fade_steps`. Each view comes again within two passes, so a Gaussian that none of them saw for as long is seen by none.
UnseenRule unseenRule(const TrainSettings& settings, size_t views, const gpu::BufferSlice& steps);

/// Weights of the regularisers, whose gradients the update of the Gaussians adds; 0 for terms that are off.
glm::vec4 regulariserWeights(const TrainSettings& settings);

}  // namespace splat
