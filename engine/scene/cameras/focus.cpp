#include <splatwright/scene/cameras/focus.h>

#include <algorithm>

namespace splat {

namespace {

constexpr double kMinSpread = 1e-3;  // of the axes' directions; below, their intersection is undefined

glm::dvec3 opticalAxis(const Camera& c) { return {c.rotation[0][2], c.rotation[1][2], c.rotation[2][2]}; }

Focus amongCameras(std::span<const Camera> cameras) {
    Focus focus{.distance = 0};
    for (const Camera& c : cameras) focus.point += c.position() / static_cast<double>(cameras.size());
    for (const Camera& c : cameras) focus.distance = std::max(focus.distance, glm::distance(c.position(), focus.point));
    if (focus.distance <= 0) focus.distance = 1;
    return focus;
}

}  // namespace

Focus focusOf(std::span<const Camera> cameras) {
    // Minimise the squared distances to the axes: sum of (I - d d^T) (x - p) = 0.
    glm::dmat3 sum(0);
    glm::dvec3 right(0);
    for (const Camera& c : cameras) {
        const glm::dvec3 axis = opticalAxis(c);
        const glm::dmat3 across = glm::dmat3(1) - glm::outerProduct(axis, axis);
        sum += across;
        right += across * c.position();
    }
    const auto count = static_cast<double>(cameras.size());
    if (glm::determinant(sum / count) < kMinSpread) return amongCameras(cameras);
    Focus focus{.point = glm::inverse(sum) * right, .distance = 0};
    size_t inFront = 0;
    for (const Camera& c : cameras) {
        focus.distance += glm::distance(c.position(), focus.point) / count;
        if (glm::dot(opticalAxis(c), focus.point - c.position()) > 0) ++inFront;
    }
    return 2 * inFront > cameras.size() ? focus : amongCameras(cameras);
}

}  // namespace splat
