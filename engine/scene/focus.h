#pragma once

#include <span>

#include "scene/camera.h"

namespace splat {

/// What the cameras look at, and from how far.
struct Focus {
    glm::dvec3 point{0};
    double distance = 1;  ///< mean distance of the cameras
};

/// The point nearest to all optical axes in the least-squares sense. Where there is no such point in front of the cameras (they look outward or
/// along one direction) it is the mean camera position, and the distance that of the farthest camera from it (1 if all stand in one place).
Focus focusOf(std::span<const Camera> cameras);

}  // namespace splat
