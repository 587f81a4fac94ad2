#pragma once

#include <span>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Smooths each Gaussian by a variance of its own, in squares of the model's unit: the variance is added to the squared scales, and the opacity
/// is multiplied by sqrt(det S / det (S + variance)), so that any viewer draws the model as with its 3D filters (Mip-Splatting, Yu et al. 2024).
void bakeFilter(Gaussians& gaussians, std::span<const float> variances);

}  // namespace splat
