#pragma once

#include <cstdint>
#include <filesystem>

#include <splatwright/scene/gaussians.h>

namespace splat {

/// Shared by readers of quantised formats; colours as in graphdeco-inria/gaussian-splatting, utils/sh_utils.py.

/// The constant coefficient (f_dc) of a colour in 0..1.
inline glm::vec3 dcOfColour(glm::vec3 colour) {
    constexpr float kC0 = 0.28209479177387814f;  // the constant spherical harmonic
    return (colour - 0.5f) / kC0;
}

/// The logit of an opacity in steps of 1/255. Steps 0 and 255, which have infinite logits, become the middle of the interval that rounds to them:
/// still below the 1/255 at which the renderer drops a splat, and still rounding to the same step.
float logitOfByte(uint8_t opacity);

/// Restores a unit quaternion from three components; the largest, which is not negative, is omitted in the file and zero here.
glm::vec4 completed(glm::vec4 others, int largest);

/// Throws InputError with the first splat and its attribute unless every number is finite; damaged bits may decode to infinities.
void requireFinite(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
