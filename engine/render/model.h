#pragma once

#include "gpu/device.h"
#include "scene/gaussians.h"

namespace splat {

/// Gaussians on the GPU, one buffer an attribute, in the stored parametrisation. SH always has room for degree 3; coefficient k > 0 of
/// gaussian i lies at shRest[(k - 1) * capacity + i], so that neighbouring threads read neighbouring numbers.
struct GaussianModel {
    GaussianModel(gpu::Device& device, uint32_t capacity);

    /// Replaces the model; gaussians.count() <= capacity.
    void upload(gpu::Device& device, const Gaussians& gaussians);
    /// The model with this many SH degrees.
    Gaussians download(gpu::Device& device, int shDegree) const;

    uint32_t capacity;
    bool antialiased = false;  ///< Mip-Splatting's 2D filter: splats that are widened to a pixel grow fainter
    gpu::Buffer means;
    gpu::Buffer rotations;
    gpu::Buffer logScales;
    gpu::Buffer logitOpacities;
    gpu::Buffer sh0;
    gpu::Buffer shRest;
    gpu::Buffer count;  ///< one word
};

inline constexpr uint32_t kShRest = 15;  // coefficients after the constant one

}  // namespace splat
