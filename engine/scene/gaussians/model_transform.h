#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Similarity transform from model space to world space: p maps to translation + scale * rotation * p.
struct ModelTransform {
    glm::dvec3 translation{0};        ///< world units
    glm::dquat rotation{1, 0, 0, 0};  ///< of any length except zero
    double scale = 1;                 ///< world units per model unit, positive

    bool operator==(const ModelTransform&) const = default;
};

/// Returns the transform that applies `inner`, then `outer`.
ModelTransform composed(const ModelTransform& outer, const ModelTransform& inner);

/// Returns the transform from world space to model space.
ModelTransform inverse(const ModelTransform& transform);

glm::dvec3 transformed(const glm::dvec3& point, const ModelTransform& transform);

/// Returns the Gaussians in world space: means, rotations, log scales, and spherical harmonics of degree 1 to 3.
Gaussians transformed(Gaussians gaussians, const ModelTransform& transform);

/// Transforms the Gaussians [first, first + count) in place, likewise. Rotations and spherical harmonics keep their bits unless it rotates.
void transform(Gaussians& gaussians, size_t first, size_t count, const ModelTransform& transform);

/// Returns the camera that sees the transformed model as `camera` sees the original, except that the near plane keeps its distance.
Camera transformed(const Camera& camera, const ModelTransform& transform);

}  // namespace splat
