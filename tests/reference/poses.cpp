#include "reference/poses.h"

#include <cmath>

namespace splat::reference {
namespace {

glm::dmat3 crossMatrix(const glm::dvec3& w) { return {glm::dvec3(0, w.z, -w.y), glm::dvec3(-w.z, 0, w.x), glm::dvec3(w.y, -w.x, 0)}; }

/// I + b [w] + c [w]^2, of which the rotation and its left Jacobian are two.
glm::dmat3 polynomial(const glm::dvec3& w, double b, double c) {
    const glm::dmat3 cross = crossMatrix(w);
    return glm::dmat3(1) + b * cross + c * cross * cross;
}

}  // namespace

Camera moved(const Camera& camera, const PoseOffset& offset) {
    const double a = glm::length(offset.rotation);
    const glm::dmat3 r = a == 0 ? glm::dmat3(1) : polynomial(offset.rotation, std::sin(a) / a, (1 - std::cos(a)) / (a * a));
    Camera result = camera;
    result.rotation = r * camera.rotation;
    result.translation = r * camera.translation + offset.translation;
    return result;
}

PoseOffset poseOffsetGradient(const PoseOffset& offset, const CameraGradient& gradient) {
    const double a = glm::length(offset.rotation);
    const glm::dmat3 left =
        a == 0 ? glm::dmat3(1) : polynomial(offset.rotation, (1 - std::cos(a)) / (a * a), (a - std::sin(a)) / (a * a * a));
    // Turning by R about the origin comes before the translation: a turn d of R alone moves p by d x (p - translation).
    const glm::dvec3 turn = gradient.rotation - glm::cross(offset.translation, gradient.translation);
    return {.translation = gradient.translation, .rotation = glm::transpose(left) * turn};
}

}  // namespace splat::reference
