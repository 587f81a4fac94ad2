#pragma once

#include <algorithm>

#include <glm/glm.hpp>

namespace splat {

/// The logarithm of the area of a splat's two longer axes: of how much of a picture it covers.
inline float logArea(const glm::vec3& logScale) {
    return logScale.x + logScale.y + logScale.z - std::min({logScale.x, logScale.y, logScale.z});
}

}  // namespace splat
