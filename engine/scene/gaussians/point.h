#pragma once

#include <array>
#include <cstdint>

#include <glm/glm.hpp>

namespace splat {

/// A structure-from-motion point.
struct Point {
    glm::vec3 position;
    std::array<uint8_t, 3> colour;
};

}  // namespace splat
