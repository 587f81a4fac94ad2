#pragma once

#include "reference/gradients.h"

namespace splat::reference {

/// Where a training camera has moved: camera' = R(rotation) camera + translation.
struct Twist {
    glm::dvec3 translation{0};
    glm::dvec3 rotation{0};  ///< axis times angle
};

Camera moved(const Camera& camera, const Twist& twist);

/// Gradient by the twist from that by a small motion that follows it.
Twist twistGradient(const Twist& twist, const CameraGradient& gradient);

}  // namespace splat::reference
