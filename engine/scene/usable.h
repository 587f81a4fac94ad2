#pragma once

#include "scene/gaussians.h"

namespace splat {

/// Whether a gaussian can be drawn: its numbers and its covariance are finite, and its rotation is one (shaders/lib/usable.slang).
bool isUsable(const Gaussians& gaussians, size_t i);

/// The usable ones, in their order: what readers of splats accept.
Gaussians usableOnly(Gaussians gaussians);

}  // namespace splat
