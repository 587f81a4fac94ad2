#include "viewer/scene/frusta.h"

#include <algorithm>
#include <ranges>

namespace splat::app {

namespace {

constexpr double kNearestPart = 1e-3;  // of a line's larger depth, that is still drawn: the camera's plane itself is infinitely far outside

std::optional<Frustum> frustumOf(size_t view, const Camera& of, const Camera& camera, double depth) {
    const glm::dmat3 toWorld = glm::transpose(of.rotation);
    const glm::dvec3 eye = of.position();
    const auto tip = onPicture(camera, eye);
    if (!tip) return std::nullopt;
    Frustum frustum{.view = view, .distance = 0, .tip = *tip, .corners = {}};
    glm::dvec3 middle(0);
    for (size_t i = 0; i < 4; ++i) {
        const double x = i == 1 || i == 2 ? of.width : 0, y = i >= 2 ? of.height : 0;
        const glm::dvec3 corner = eye + toWorld * (depth * glm::dvec3((x - of.cx) / of.fx, (y - of.cy) / of.fy, 1));
        const auto seen = onPicture(camera, corner);
        if (!seen) return std::nullopt;
        frustum.corners[i] = *seen;
        middle += 0.25 * corner;
    }
    frustum.distance = glm::distance(middle, camera.position());
    return frustum;
}

/// Of a corner's next side and a point: which side of it the point lies on.
double turn(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& point) {
    const glm::dvec2 side = b - a, way = point - a;
    return side.x * way.y - side.y * way.x;
}

/// A pyramid's far side is convex in any picture, and turned over when seen from behind.
bool covers(const Frustum& frustum, const glm::dvec2& pixel) {
    bool left = false, right = false;
    for (size_t i = 0; i < 4; ++i) {
        const double t = turn(frustum.corners[i], frustum.corners[(i + 1) % 4], pixel);
        left |= t < 0;
        right |= t > 0;
    }
    return left != right;
}

}  // namespace

std::optional<glm::dvec2> onPicture(const Camera& camera, const glm::dvec3& point) {
    const glm::dvec3 p = camera.rotation * point + camera.translation;
    if (p.z < 1e-6) return std::nullopt;
    return glm::dvec2(camera.fx * p.x / p.z + camera.cx, camera.fy * p.y / p.z + camera.cy);
}

std::optional<std::pair<glm::dvec2, glm::dvec2>> segmentOnPicture(const Camera& camera, const glm::dvec3& from, const glm::dvec3& to) {
    const auto depth = [&](const glm::dvec3& point) { return (camera.rotation * point + camera.translation).z; };
    const double a = depth(from), b = depth(to), nearest = kNearestPart * std::max(a, b);
    if (std::max(a, b) <= 0) return std::nullopt;
    const auto cut = [&](const glm::dvec3& end, double of, const glm::dvec3& other, double ofOther) {
        return of >= nearest ? end : end + (nearest - of) / (ofOther - of) * (other - end);
    };
    const auto first = onPicture(camera, cut(from, a, to, b)), second = onPicture(camera, cut(to, b, from, a));
    if (!first || !second) return std::nullopt;
    return std::pair(*first, *second);
}

std::vector<Frustum> frustaOf(std::span<const Camera> cameras, const Camera& camera, double depth) {
    std::vector<Frustum> frusta;
    for (size_t i = 0; i < cameras.size(); ++i) {
        if (auto frustum = frustumOf(i, cameras[i], camera, depth)) frusta.push_back(*frustum);
    }
    std::ranges::stable_sort(frusta, std::greater(), &Frustum::distance);
    return frusta;
}

std::optional<size_t> viewUnder(const std::vector<Frustum>& frusta, const glm::dvec2& pixel) {
    for (const Frustum& frustum : frusta | std::views::reverse) {
        if (covers(frustum, pixel)) return frustum.view;
    }
    return std::nullopt;
}

}  // namespace splat::app
