#pragma once

#include <functional>

#include <glm/glm.hpp>

namespace splat::synth {

struct Sphere {
    glm::vec3 centre{0};
    float radius = 0;
};

/// A solid: its signed distance (negative inside; never an overestimate), and a bounding sphere.
struct Shape {
    std::function<float(const glm::vec3&)> distance;
    Sphere bound;
};

Shape sphere(glm::vec3 centre, float radius);
Shape roundedBox(glm::vec3 centre, glm::vec3 halfSize, float rounding);
/// A torus in the xz plane.
Shape torus(glm::vec3 centre, float ringRadius, float tubeRadius);
/// A cylinder along y, whose size includes the rounding.
Shape cylinder(glm::vec3 centre, float radius, float halfHeight, float rounding);
Shape capsule(glm::vec3 from, glm::vec3 to, float radius);

/// Union with a smooth transition about `blend` wide (polynomial smooth minimum).
Shape smoothUnion(Shape a, Shape b, float blend);
/// Intersection, with the bound of `a`.
Shape intersection(Shape a, Shape b);
/// The shape rotated about an axis through the centre of its bound.
Shape rotated(Shape shape, glm::vec3 axis, float degrees);

/// The smallest sphere that encloses both.
Sphere enclosing(const Sphere& a, const Sphere& b);

/// Unit outward normal near the surface.
glm::vec3 normalAt(const Shape& shape, const glm::vec3& point);

}  // namespace splat::synth
