#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Shared by readers and writers of quantised formats; colours as in graphdeco-inria/gaussian-splatting, utils/sh_utils.py.

inline constexpr float kSh0 = 0.28209479177387814f;  ///< the constant spherical harmonic

/// The constant coefficient (f_dc) of a colour in 0..1.
inline glm::vec3 dcOfColour(glm::vec3 colour) { return (colour - 0.5f) / kSh0; }

/// The colour of a constant coefficient, 0..1 where a display can show it.
inline glm::vec3 colourOfDc(glm::vec3 dc) { return 0.5f + kSh0 * dc; }

/// 0..1. By doubles, like what follows, because C libraries round their floats differently.
inline float opacityOfLogit(float logit) { return static_cast<float>(1 / (1 + std::exp(-double{logit}))); }

/// Of an opacity of 0..1. Its ends, whose logits are infinite, become the nearest floats within.
inline float logitOfOpacity(float opacity) {
    const float within = std::clamp(opacity, std::numeric_limits<float>::min(), 1 - std::numeric_limits<float>::epsilon() / 2);
    return std::log(within / (1 - within));
}

/// Logarithm of a linear scale. Zero, to which a writer's exp() may underflow, counts as the smallest float.
inline float logOfScale(float scale) { return std::log(scale == 0 ? std::numeric_limits<float>::min() : scale); }
inline glm::vec3 logOfScale(glm::vec3 scale) { return {logOfScale(scale.x), logOfScale(scale.y), logOfScale(scale.z)}; }

/// Linear scales that float has.
inline glm::vec3 scaleOfLog(glm::vec3 logScale) {
    constexpr float kLargest = 88.7f;  // above it, exp() is infinite
    return glm::exp(glm::dvec3(glm::min(logScale, kLargest)));
}

/// The nearest byte.
inline uint8_t byteOf(float value) {
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): the sum is never negative, and lround() would be a call
    return static_cast<uint8_t>(std::clamp(value, 0.0f, 255.0f) + 0.5f);
}

/// Logit of an opacity in steps of 1/255. Steps 0 and 255, whose logits are infinite, become the middle of the interval that rounds to them;
/// step 0 thus stays below the 1/255 at which the renderer drops a splat.
float logitOfByte(uint8_t opacity);
/// The same by byte: a logarithm per splat takes longer than all else about it.
std::array<float, 256> logitsOfBytes();

/// Restores a unit quaternion. `others` has zero for the component `largest`, which the file omits and which is not negative.
glm::vec4 completed(glm::vec4 others, int largest);

/// The unit quaternion of a finite one, however long or short; the identity of zero.
glm::vec4 unitRotation(glm::vec4 rotation);

/// Throws InputError with the first splat and attribute that is not finite, as damaged files may have.
void requireFinite(const std::filesystem::path& path, const Gaussians& gaussians);
/// The same of the splats [first, end), which the message counts from `before` on.
void requireFinite(const std::filesystem::path& path, const Gaussians& gaussians, size_t first, size_t end, size_t before);

/// Throws InputError if there are no splats, which the format cannot say, or like requireFinite().
void requireWritable(const std::filesystem::path& path, const Gaussians& gaussians);
/// The first of both, for a writer of blocks.
void requireSplats(const std::filesystem::path& path, size_t count);

}  // namespace splat
