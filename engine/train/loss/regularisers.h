#pragma once

#include <splatwright/train/settings.h>

namespace splat {

/// Weights of the regularisers, whose gradients the update of the Gaussians adds; 0 for terms that are off.
glm::vec4 regulariserWeights(const TrainSettings& settings);

}  // namespace splat
