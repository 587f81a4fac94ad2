#pragma once

#include <cstdint>
#include <functional>

#include <glm/glm.hpp>

namespace splat::synth {

/// Linear colour at a world point. Edges of patterns are soft, to avoid aliasing at small image sizes.
using Texture = std::function<glm::vec3(const glm::vec3&)>;

/// Converts 0xRRGGBB in sRGB to linear colour.
glm::vec3 rgb(uint32_t hex);

Texture plain(glm::vec3 colour);
/// Alternating bands perpendicular to an axis.
Texture stripes(glm::vec3 a, glm::vec3 b, glm::vec3 axis, float period);
/// Cubes of two colours with edges of length `size`, rotated by `degrees` about y.
Texture checker(glm::vec3 a, glm::vec3 b, glm::vec3 origin, float size, float degrees);
/// Noise of two colours with features about `size` wide.
Texture marbled(glm::vec3 a, glm::vec3 b, float size, uint32_t seed);
/// Irregular growth rings around a vertical axis through `origin`.
Texture wood(glm::vec3 a, glm::vec3 b, glm::vec3 origin, float ring, uint32_t seed);
/// Dots at the points of a cubic grid.
Texture dotted(glm::vec3 base, glm::vec3 dot, glm::vec3 origin, float spacing, float radius);

/// Smooth noise in [0, 1] with features one unit wide; fractalNoise() sums three octaves.
float noise(const glm::vec3& point, uint32_t seed);
float fractalNoise(const glm::vec3& point, uint32_t seed);

}  // namespace splat::synth
