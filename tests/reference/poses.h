#pragma once

#include "reference/gradients.h"

namespace splat::reference {

/// Where a training camera has moved: camera' = R(rotation) camera + translation.
struct PoseOffset {
    glm::dvec3 translation{0};
    glm::dvec3 rotation{0};  ///< axis-angle, radians
};

Camera moved(const Camera& camera, const PoseOffset& offset);

/// Gradient with respect to the offset, from the one with respect to a small motion after it.
PoseOffset poseOffsetGradient(const PoseOffset& offset, const CameraGradient& gradient);

}  // namespace splat::reference
