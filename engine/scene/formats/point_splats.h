#pragma once

#include <vector>

#include <glm/glm.hpp>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// What splats at points have in common.
struct PointSplats {
    int shDegree = 0;
    double opacity = 0.1;
    double scale = 1;  ///< of the standard deviation, which is the root mean square distance to the three nearest points
};

/// Round splats at points, with colours of 0..1 from every side: what a training starts from.
Gaussians splatsAt(std::vector<glm::vec3> positions, const std::vector<glm::vec3>& colours, const PointSplats& common = {});

}  // namespace splat
