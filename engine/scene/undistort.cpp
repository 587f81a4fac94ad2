#include <splatwright/scene/undistort.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>

namespace splat {

glm::dvec2 distort(const Distortion& d, glm::dvec2 p) {
    const double r2 = glm::dot(p, p);
    const double radial = r2 * (d.k1 + r2 * d.k2);
    const double xy = p.x * p.y;
    return {p.x + p.x * radial + 2 * d.p1 * xy + d.p2 * (r2 + 2 * p.x * p.x),
            p.y + p.y * radial + 2 * d.p2 * xy + d.p1 * (r2 + 2 * p.y * p.y)};
}

namespace {

// COLMAP's limits on the size of the undistorted image relative to the stored one.
constexpr double kMinScale = 0.2;
constexpr double kMaxScale = 2;

glm::dvec2 toPlane(const Camera& camera, glm::dvec2 pixel) {
    return {(pixel.x - camera.cx) / camera.fx, (pixel.y - camera.cy) / camera.fy};
}

glm::dvec2 toPixel(const Camera& camera, glm::dvec2 point) { return {camera.fx * point.x + camera.cx, camera.fy * point.y + camera.cy}; }

/// Jacobian of distort(); columns are the derivatives by x and y.
glm::dmat2 distortJacobian(const Distortion& d, glm::dvec2 p) {
    const double r2 = glm::dot(p, p);
    const double radial = 1 + r2 * (d.k1 + r2 * d.k2);
    const double slope = 2 * (d.k1 + 2 * r2 * d.k2);  // of `radial` along x is slope * x
    const double cross = slope * p.x * p.y + 2 * d.p1 * p.x + 2 * d.p2 * p.y;
    return {{radial + slope * p.x * p.x + 2 * d.p1 * p.y + 6 * d.p2 * p.x, cross},
            {cross, radial + slope * p.y * p.y + 6 * d.p1 * p.y + 2 * d.p2 * p.x}};
}

/// The pixels of a photograph's border, undistorted, in the pixels of a pinhole camera with the same numbers: how far the border bends
/// inwards on each side. Points that cannot be undistorted do not count, as with COLMAP.
struct Inside {
    double left = -1e300, right = 1e300, top = -1e300, bottom = 1e300;
};

std::optional<glm::dvec2> straightened(const Camera& camera, const Distortion& distortion, glm::dvec2 pixel) {
    const auto point = undistort(distortion, toPlane(camera, pixel));
    return point ? std::optional(toPixel(camera, *point)) : std::nullopt;
}

Inside insideOf(const Camera& camera, const Distortion& distortion) {
    Inside inside;
    for (int y = 0; y < camera.height; ++y) {
        if (const auto p = straightened(camera, distortion, {0.5, y + 0.5})) inside.left = std::max(inside.left, p->x);
        if (const auto p = straightened(camera, distortion, {camera.width - 0.5, y + 0.5})) inside.right = std::min(inside.right, p->x);
    }
    for (int x = 0; x < camera.width; ++x) {
        if (const auto p = straightened(camera, distortion, {x + 0.5, 0.5})) inside.top = std::max(inside.top, p->y);
        if (const auto p = straightened(camera, distortion, {x + 0.5, camera.height - 0.5})) inside.bottom = std::min(inside.bottom, p->y);
    }
    return inside;
}

/// The relative size of the undistorted image along one axis, such that both ends lie inside the photograph. This is COLMAP's formula
/// with its half pixel on one side only, kept so that sizes agree with image_undistorter's.
double scaleAlong(double size, double centre, double low, double high) {
    const double magnify = std::max(centre / (centre - low), (size - 0.5 - centre) / (high - centre));
    return std::clamp(1 / magnify, kMinScale, kMaxScale);
}

/// Clamps a coordinate to the image; NaN becomes 0.
double insideBorder(double coordinate, int size) { return coordinate > 0.5 ? std::min(coordinate - 0.5, size - 1.0) : 0.0; }

}  // namespace

std::optional<glm::dvec2> undistort(const Distortion& distortion, glm::dvec2 point) {
    constexpr int kSteps = 100;
    constexpr double kTolerance = 1e-10;  // of the plane at z = 1: far below a thousandth of any sensor's pixel
    glm::dvec2 guess = point;
    for (int step = 0; step < kSteps; ++step) {
        const glm::dmat2 jacobian = distortJacobian(distortion, guess);
        // The model folds back where the determinant changes sign, and a solution beyond the fold is not what the lens saw.
        if (!(glm::determinant(jacobian) > 0)) return std::nullopt;
        const glm::dvec2 move = glm::inverse(jacobian) * (point - distort(distortion, guess));
        guess += move;
        if (glm::dot(move, move) < kTolerance * kTolerance) return guess;
    }
    return std::nullopt;
}

Camera undistortedCamera(const Camera& camera, const Distortion& distortion) {
    if (!distortion.any()) return camera;
    const Inside inside = insideOf(camera, distortion);
    if (!(inside.left < camera.cx && camera.cx < inside.right && inside.top < camera.cy && camera.cy < inside.bottom &&
          inside.left > -1e299 && inside.right < 1e299 && inside.top > -1e299 && inside.bottom < 1e299)) {
        throw InputError("distortion k1 {}, k2 {}, p1 {}, p2 {} with focal lengths {}, {} cannot be undone over {}x{} pixels",
                         distortion.k1, distortion.k2, distortion.p1, distortion.p2, camera.fx, camera.fy, camera.width, camera.height);
    }
    Camera straight = camera;
    const auto scaled = [](int size, double scale) { return std::max(1, static_cast<int>(scale * size)); };
    straight.width = scaled(camera.width, scaleAlong(camera.width, camera.cx, inside.left, inside.right));
    straight.height = scaled(camera.height, scaleAlong(camera.height, camera.cy, inside.top, inside.bottom));
    straight.cx = camera.cx * straight.width / camera.width;
    straight.cy = camera.cy * straight.height / camera.height;
    return straight;
}

Surroundings surroundingsOf(glm::dvec2 place, int width, int height) {
    const double x = insideBorder(place.x, width), y = insideBorder(place.y, height);
    const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
    return {.x0 = x0,
            .y0 = y0,
            .x1 = std::min(x0 + 1, width - 1),
            .y1 = std::min(y0 + 1, height - 1),
            .x = static_cast<float>(x - x0),
            .y = static_cast<float>(y - y0)};
}

glm::dvec2 sourceOf(const Camera& camera, const Distortion& distortion, const Camera& target, int x, int y) {
    return toPixel(camera, distort(distortion, toPlane(target, {x + 0.5, y + 0.5})));
}

ImageF undistortImage(const ImageF& image, const Camera& camera, const Distortion& distortion, const Camera& target) {
    SPLAT_CHECK(image.width == camera.width && image.height == camera.height, "image {}x{}, camera {}x{}", image.width, image.height,
                camera.width, camera.height);
    ImageF straight(target.width, target.height, image.channels);
    for (int y = 0; y < target.height; ++y) {
        for (int x = 0; x < target.width; ++x) {
            const Surroundings s = surroundingsOf(sourceOf(camera, distortion, target, x, y), image.width, image.height);
            const auto a = image.at(s.x0, s.y0), b = image.at(s.x1, s.y0), c = image.at(s.x0, s.y1), d = image.at(s.x1, s.y1);
            for (size_t i = 0; i < a.size(); ++i) straight.at(x, y)[i] = s.mean(a[i], b[i], c[i], d[i]);
        }
    }
    return straight;
}

}  // namespace splat
