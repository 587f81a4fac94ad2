#pragma once

#include <splatwright/train/settings.h>

namespace splat {

/// Weights of the regularisers for the update of the Gaussians, which adds their gradients; 0 where there is no such term.
glm::vec4 regulariserWeights(const TrainSettings& settings);

}  // namespace splat
