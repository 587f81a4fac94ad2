#pragma once

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Whether a Gaussian can be drawn: finite numbers and covariance, and a non-zero quaternion (shaders/lib/core/usable.slang).
bool isUsable(const Gaussians& gaussians, size_t i);

/// The usable Gaussians, in order; readers of splat files drop the others.
Gaussians usableOnly(Gaussians gaussians);

}  // namespace splat
