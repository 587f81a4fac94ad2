#pragma once

#include <functional>

#include <glm/glm.hpp>

namespace splat::synth {

struct Sphere {
    glm::vec3 centre{0};
    float radius = 0;
};

/// A solid as its signed distance (negative inside), which never overestimates, and a sphere around it that lets rays skip it.
struct Shape {
    std::function<float(const glm::vec3&)> distance;
    Sphere bound;
};

Shape sphere(glm::vec3 centre, float radius);
Shape roundedBox(glm::vec3 centre, glm::vec3 halfSize, float rounding);
/// The ring lies in the xz plane.
Shape torus(glm::vec3 centre, float ringRadius, float tubeRadius);
/// The axis is y; the rounding is inside the given size.
Shape cylinder(glm::vec3 centre, float radius, float halfHeight, float rounding);
Shape capsule(glm::vec3 from, glm::vec3 to, float radius);

/// Blends over a seam about `blend` wide (polynomial smooth minimum).
Shape smoothUnion(Shape a, Shape b, float blend);
/// Intersection; the bound is that of the first.
Shape intersection(Shape a, Shape b);
/// Rotated about an axis through the centre of the shape's bound.
Shape rotated(Shape shape, glm::vec3 axis, float degrees);

/// The smallest sphere around two.
Sphere enclosing(const Sphere& a, const Sphere& b);

/// Unit outward normal near the surface.
glm::vec3 normalAt(const Shape& shape, const glm::vec3& point);

}  // namespace splat::synth
