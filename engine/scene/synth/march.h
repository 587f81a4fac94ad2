#pragma once

#include <optional>

#include <glm/glm.hpp>

#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

struct Ray {
    glm::vec3 origin;
    glm::vec3 direction;  ///< unit
};

enum class Surface { object, ground, dome };

struct Hit {
    Surface surface = Surface::object;
    size_t object = 0;  ///< index, if the surface is an object
    float t = 0;
    glm::vec3 point{0};
};

/// The first surface along a ray.
std::optional<Hit> trace(const Scene& scene, const Ray& ray);

/// Outward unit normal of the surface that was hit.
glm::vec3 surfaceNormal(const Scene& scene, const Hit& hit);

/// Fraction of the sun visible from a point, 0..1.
float sunlight(const Scene& scene, const glm::vec3& point, const glm::vec3& normal);

/// Fraction of the sky visible from a point, 0..1: 1 minus ambient occlusion.
float skylight(const Scene& scene, const glm::vec3& point, const glm::vec3& normal);

}  // namespace splat::synth
