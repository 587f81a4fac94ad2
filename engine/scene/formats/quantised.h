#pragma once

#include <cstdint>
#include <filesystem>

#include "scene/gaussians.h"

namespace splat {

/// What readers of formats with few bits a value share; colours as in graphdeco-inria/gaussian-splatting, utils/sh_utils.py.

/// The first coefficient (f_dc) of a colour 0..1 that has no others.
inline glm::vec3 dcOfColour(glm::vec3 colour) {
    constexpr float kC0 = 0.28209479177387814f;  // the constant spherical harmonic
    return (colour - 0.5f) / kC0;
}

/// The logit of an opacity in steps of 1/255. The steps 0 and 255, whose logits would be infinite, count as the middle of what rounds to
/// them: still below the 1/255 at which the renderer drops a splat, and still rounding to the same step.
float logitOfByte(uint8_t opacity);

/// The unit quaternion of three components and a zero at the place of the largest, which the file left out and which is not negative.
glm::vec4 completed(glm::vec4 others, int largest);

/// Throws InputError with the first splat and its attribute unless every number is finite: a few wild bits decode to infinities.
void requireFinite(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
