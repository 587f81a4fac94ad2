#pragma once

#include <span>

#include <splatwright/scene/cameras/camera.h>

namespace splat {

/// The point that cameras look at, and their distance from it.
struct Focus {
    glm::dvec3 point{0};
    double distance = 1;  ///< mean distance of the cameras
};

/// The point nearest to all optical axes in the least-squares sense. If there is no such point in front of the cameras (they look outward or in one
/// direction): the mean camera position, and the largest distance of a camera from it (1 if all are at one point).
Focus focusOf(std::span<const Camera> cameras);

}  // namespace splat
