#pragma once

#include <cstdint>
#include <filesystem>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Shared by readers of quantised formats; colours as in graphdeco-inria/gaussian-splatting, utils/sh_utils.py.

/// The constant coefficient (f_dc) of a colour in 0..1.
inline glm::vec3 dcOfColour(glm::vec3 colour) {
    constexpr float kC0 = 0.28209479177387814f;  // the constant spherical harmonic
    return (colour - 0.5f) / kC0;
}

/// Logit of an opacity in steps of 1/255. Steps 0 and 255, whose logits are infinite, become the middle of the interval that rounds to them;
/// step 0 thus stays below the 1/255 at which the renderer drops a splat.
float logitOfByte(uint8_t opacity);

/// Restores a unit quaternion. `others` has zero for the component `largest`, which the file omits and which is not negative.
glm::vec4 completed(glm::vec4 others, int largest);

/// Throws InputError with the first splat and attribute that is not finite, as damaged files may have.
void requireFinite(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
