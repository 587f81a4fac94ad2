#include "viewer/widgets/gizmo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace splat::app {

namespace {

constexpr double kLength = 90;  // points of a handle
constexpr double kReach = 8;    // points from a line that still hold it
constexpr int kRingPoints = 64;
constexpr int kAllAxes = 3;

glm::dvec3 axisOf(int axis) {
    glm::dvec3 direction(0);
    direction[axis] = 1;
    return direction;
}

/// World units per pixel at the model's position.
double worldPixel(const Camera& camera, const glm::dvec3& point) {
    const double depth = (camera.rotation * point + camera.translation).z;
    return std::max(depth, 1e-9) / camera.fx;
}

/// Of a point to the nearest of a line's segments.
double distanceToLine(const glm::dvec2& p, const std::vector<glm::dvec2>& points) {
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 1; i < points.size(); ++i) {
        const glm::dvec2 from = points[i - 1], along = points[i] - from;
        const double length2 = glm::dot(along, along);
        const double t = length2 > 0 ? std::clamp(glm::dot(p - from, along) / length2, 0.0, 1.0) : 0;
        least = std::min(least, glm::distance(p, from + t * along));
    }
    return least;
}

/// A circle around a point, in the plane of two directions.
std::vector<glm::dvec2> ring(const Camera& camera, const glm::dvec3& centre, const glm::dvec3& u, const glm::dvec3& v) {
    std::vector<glm::dvec2> points;
    for (int i = 0; i <= kRingPoints; ++i) {
        const double angle = 2 * std::numbers::pi * i / kRingPoints;
        if (const auto p = onPicture(camera, centre + std::cos(angle) * u + std::sin(angle) * v)) points.push_back(*p);
    }
    return points;
}

ModelTransform moved(ModelTransform transform, const Camera& camera, const glm::dvec3& origin, int axis, const glm::dvec2& by) {
    const double length = kLength * worldPixel(camera, origin);
    const auto from = onPicture(camera, origin), to = onPicture(camera, origin + length * axisOf(axis));
    if (!from || !to) return transform;
    const glm::dvec2 along = *to - *from;
    const double length2 = glm::dot(along, along);
    if (length2 < 1) return transform;  // the axis points at the camera, so no screen movement is along it
    transform.translation += length * glm::dot(by, along) / length2 * axisOf(axis);
    return transform;
}

ModelTransform turned(ModelTransform transform, const Camera& camera, const glm::dvec3& origin, int axis, const glm::dvec2& from,
                      const glm::dvec2& to) {
    const auto centre = onPicture(camera, origin);
    if (!centre) return transform;
    const glm::dvec2 a = from - *centre, b = to - *centre;
    const double angle = std::atan2(a.x * b.y - a.y * b.x, glm::dot(a, b));  // from x to y, which is down: clockwise
    const double sign = glm::dot(origin - camera.position(), axisOf(axis)) >= 0 ? 1 : -1;
    const glm::dquat turn = glm::angleAxis(sign * angle, axisOf(axis));
    transform.rotation = glm::normalize(turn * glm::normalize(transform.rotation));
    transform.translation = origin + turn * (transform.translation - origin);
    return transform;
}

ModelTransform scaled(ModelTransform transform, const Camera& camera, const glm::dvec3& origin, const glm::dvec2& from,
                      const glm::dvec2& to) {
    const auto centre = onPicture(camera, origin);
    if (!centre) return transform;
    const double ratio = std::max(glm::distance(to, *centre), 1.0) / std::max(glm::distance(from, *centre), 1.0);
    const double before = transform.scale;
    transform.scale = std::clamp(before * ratio, 1e-4, 1e4);
    transform.translation = origin + transform.scale / before * (transform.translation - origin);
    return transform;
}

}  // namespace

std::optional<glm::dvec2> onPicture(const Camera& camera, const glm::dvec3& point) {
    const glm::dvec3 p = camera.rotation * point + camera.translation;
    if (p.z < 1e-6) return std::nullopt;
    return glm::dvec2(camera.fx * p.x / p.z + camera.cx, camera.fy * p.y / p.z + camera.cy);
}

std::vector<Gizmo::Line> Gizmo::handles(const Camera& camera, const ModelTransform& transform) const {
    const glm::dvec3 origin = transformed(pivot, transform);
    const double length = scale * kLength * worldPixel(camera, origin);
    const auto centre = onPicture(camera, origin);
    std::vector<Line> lines;
    if (!centre) return lines;
    if (kind == Kind::scale) {
        const glm::dmat3 axes = glm::transpose(camera.rotation);  // right, down and forward of the camera
        lines.push_back({.points = ring(camera, origin, length * axes[0], length * axes[1]), .axis = kAllAxes});
        return lines;
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (kind == Kind::turn) {
            lines.push_back(
                {.points = ring(camera, origin, length * axisOf((axis + 1) % 3), length * axisOf((axis + 2) % 3)), .axis = axis});
        } else if (const auto tip = onPicture(camera, origin + length * axisOf(axis))) {
            lines.push_back({.points = {*centre, *tip}, .axis = axis});
        }
    }
    return lines;
}

std::vector<Gizmo::Line> Gizmo::lines(const Camera& camera, const ModelTransform& transform, const glm::dvec2& pointer) const {
    std::vector<Line> lines = handles(camera, transform);
    if (held_) {
        for (Line& line : lines) line.held = line.axis == held_->axis;
        return lines;
    }
    const auto nearest = std::ranges::min_element(lines, {}, [&](const Line& l) { return distanceToLine(pointer, l.points); });
    if (nearest != lines.end()) nearest->held = distanceToLine(pointer, nearest->points) < scale * kReach;
    return lines;
}

bool Gizmo::grab(const Camera& camera, const ModelTransform& transform, const glm::dvec2& pointer) {
    for (const Line& line : lines(camera, transform, pointer)) {
        if (line.held) held_ = Held{line.axis, transform, pointer};
    }
    return held_.has_value();
}

ModelTransform Gizmo::dragged(const Camera& camera, const glm::dvec2& pointer) const {
    const glm::dvec3 origin = transformed(pivot, held_->transform);
    switch (kind) {
        case Kind::move: return moved(held_->transform, camera, origin, held_->axis, pointer - held_->pointer);
        case Kind::turn: return turned(held_->transform, camera, origin, held_->axis, held_->pointer, pointer);
        case Kind::scale: return scaled(held_->transform, camera, origin, held_->pointer, pointer);
    }
    return held_->transform;
}

}  // namespace splat::app
