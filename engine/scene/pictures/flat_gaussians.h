#pragma once

#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/pictures/blobs.h>

namespace splat {

inline constexpr double kFlatDepth = 1e-3;      ///< of all of a picture's Gaussians together
inline constexpr double kFlatThickness = 1e-3;  ///< of one, in its smaller standard deviation

/// Flat Gaussians that look like the picture to a camera before it: the centre of the picture is the origin, x is right, y is down, the larger side
/// is 2 units, and z grows with the order from -0.0005 (front) to 0.0005. A blended picture is the same but for a viewer's perspective, its
/// low-pass filter and the background; a summed one only looks alike, since viewers blend. Opacities are limited to 1e-6..1-1e-6.
Gaussians flatGaussians(const Blobs& blobs);

}  // namespace splat
