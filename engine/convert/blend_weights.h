#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <splatwright/primitives/radix_sort.h>
#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// The blending weight in a pixel from which on it shows a splat: one step of an 8-bit picture.
inline constexpr float kLeastShownWeight = 1.0F / 255;

/// The largest blending weight (alpha times transmittance) of each splat in any pixel of any view, 0 to 0.99; 0 for what no view shows.
std::vector<float> largestBlendWeights(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& gaussians,
                                       std::span<const Camera> views);

/// The number of views that show each splat: in which its blending weight is at least this in some pixel.
std::vector<uint32_t> viewsShowing(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& gaussians,
                                   std::span<const Camera> views, float least);

}  // namespace splat
