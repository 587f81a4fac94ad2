#include <splatwright/scene/synth/shape.h>

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace splat::synth {

using glm::vec2;
using glm::vec3;

Shape sphere(vec3 centre, float radius) {
    return {[=](const vec3& p) { return glm::length(p - centre) - radius; }, {centre, radius}};
}

Shape roundedBox(vec3 centre, vec3 halfSize, float rounding) {
    const vec3 core = halfSize - rounding;
    auto distance = [=](const vec3& p) {
        const vec3 q = glm::abs(p - centre) - core;
        return glm::length(glm::max(q, 0.0f)) + std::min(std::max({q.x, q.y, q.z}), 0.0f) - rounding;
    };
    return {distance, {centre, glm::length(halfSize)}};
}

Shape torus(vec3 centre, float ringRadius, float tubeRadius) {
    auto distance = [=](const vec3& p) {
        const vec3 q = p - centre;
        return glm::length(vec2(glm::length(vec2(q.x, q.z)) - ringRadius, q.y)) - tubeRadius;
    };
    return {distance, {centre, ringRadius + tubeRadius}};
}

Shape cylinder(vec3 centre, float radius, float halfHeight, float rounding) {
    const vec2 core = vec2(radius, halfHeight) - rounding;
    auto distance = [=](const vec3& p) {
        const vec3 q = p - centre;
        const vec2 outside = vec2(glm::length(vec2(q.x, q.z)), std::abs(q.y)) - core;
        return glm::length(glm::max(outside, 0.0f)) + std::min(std::max(outside.x, outside.y), 0.0f) - rounding;
    };
    return {distance, {centre, glm::length(vec2(radius, halfHeight))}};
}

Shape capsule(vec3 from, vec3 to, float radius) {
    const vec3 axis = to - from;
    const float inverseSquare = 1.0f / glm::dot(axis, axis);
    auto distance = [=](const vec3& p) {
        const vec3 q = p - from;
        const float along = std::clamp(glm::dot(q, axis) * inverseSquare, 0.0f, 1.0f);
        return glm::length(q - axis * along) - radius;
    };
    return {distance, {(from + to) * 0.5f, glm::length(axis) * 0.5f + radius}};
}

Shape smoothUnion(Shape a, Shape b, float blend) {
    Sphere bound = enclosing(a.bound, b.bound);
    bound.radius += blend * 0.25f;  // the fillet extends the surface by at most a quarter of the blend
    auto distance = [a = std::move(a.distance), b = std::move(b.distance), blend](const vec3& p) {
        const float da = a(p);
        const float db = b(p);
        const float overlap = std::max(blend - std::abs(da - db), 0.0f) / blend;
        return std::min(da, db) - overlap * overlap * blend * 0.25f;
    };
    return {std::move(distance), bound};
}

Shape intersection(Shape a, Shape b) {
    const Sphere bound = a.bound;
    auto distance = [a = std::move(a.distance), b = std::move(b.distance)](const vec3& p) { return std::max(a(p), b(p)); };
    return {std::move(distance), bound};
}

Shape rotated(Shape shape, vec3 axis, float degrees) {
    const vec3 pivot = shape.bound.centre;
    const auto undo = glm::mat3(glm::rotate(glm::mat4(1), glm::radians(-degrees), axis));
    auto distance = [inner = std::move(shape.distance), undo, pivot](const vec3& p) { return inner(undo * (p - pivot) + pivot); };
    return {std::move(distance), shape.bound};
}

Sphere enclosing(const Sphere& a, const Sphere& b) {
    const float gap = glm::distance(a.centre, b.centre);
    if (gap + b.radius <= a.radius) return a;
    if (gap + a.radius <= b.radius) return b;
    const float radius = (gap + a.radius + b.radius) * 0.5f;
    return {a.centre + (b.centre - a.centre) * ((radius - a.radius) / gap), radius};
}

vec3 normalAt(const Shape& shape, const vec3& point) {
    // Four samples at the corners of a tetrahedron: central differences with four evaluations instead of six.
    constexpr float kStep =
        5e-4f;  // well above float rounding errors a few units from the origin, well below any rounding radius of a shape
    const vec3 corners[] = {{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}};
    vec3 gradient(0);
    for (const vec3& corner : corners) gradient += corner * shape.distance(point + corner * kStep);
    const float length = glm::length(gradient);
    return length > 0 ? gradient / length : vec3(0, -1, 0);
}

}  // namespace splat::synth
