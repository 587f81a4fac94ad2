#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <splatwright/scene/camera.h>
#include <splatwright/scene/gaussians.h>

namespace splat {

/// Where a model stands in the world: its point p lies at translation + scale * rotation * p.
struct Placement {
    glm::dvec3 translation{0};        ///< world units
    glm::dquat rotation{1, 0, 0, 0};  ///< any length but zero
    double scale = 1;                 ///< world units a model unit, above zero

    bool operator==(const Placement&) const = default;
};

/// First the inner one, then the outer one.
Placement composed(const Placement& outer, const Placement& inner);

/// Takes the world back into the model's own frame.
Placement inverse(const Placement& placement);

glm::dvec3 transformed(const glm::dvec3& point, const Placement& placement);

/// The model as it stands in the world: means, rotations, scales, and the spherical harmonics of degree 1 to 3 turned along, so that every side
/// keeps its colour.
Gaussians transformed(Gaussians gaussians, const Placement& placement);

/// The camera that goes along: it sees of the transformed model what it saw of the model, but for the near plane, which stays at its distance.
Camera transformed(const Camera& camera, const Placement& placement);

}  // namespace splat
