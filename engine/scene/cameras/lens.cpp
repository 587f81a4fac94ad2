#include <splatwright/scene/cameras/lens.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace splat {
namespace {

using glm::dvec2;
using glm::dvec3;

constexpr double kPi = std::numbers::pi;

/// Coordinates of a ray before distortion.
std::optional<dvec2> projected(Projection projection, const dvec3& ray) {
    switch (projection) {
        case Projection::plane: return ray.z > 0 ? std::optional(dvec2(ray) / ray.z) : std::nullopt;
        case Projection::angle: {
            const double side = glm::length(dvec2(ray));
            if (side > 0) return dvec2(ray) * (std::atan2(side, ray.z) / side);
            return ray.z > 0 ? std::optional(dvec2(0)) : std::nullopt;
        }
        case Projection::panorama: return dvec2(std::atan2(ray.x, ray.z), std::atan2(ray.y, std::hypot(ray.x, ray.z)));
    }
    return {};
}

std::optional<dvec3> unprojected(Projection projection, dvec2 p) {
    const double angle = glm::length(p);
    switch (projection) {
        case Projection::plane: return glm::normalize(dvec3(p, 1));
        case Projection::angle:
            if (angle > kPi) return {};
            return dvec3(p * (angle > 0 ? std::sin(angle) / angle : 1), std::cos(angle));
        case Projection::panorama:
            if (std::abs(p.y) > kPi / 2) return {};
            return dvec3(std::cos(p.y) * std::sin(p.x), std::sin(p.y), std::cos(p.y) * std::cos(p.x));
    }
    return {};
}

}  // namespace

Lens::Lens(const Camera& camera, const Distortion& distortion)
    : camera_(camera),
      distortion_(distortion),
      size_(std::hypot(std::max(std::abs(camera.cx), std::abs(camera.width - camera.cx)) / camera.fx,
                       std::max(std::abs(camera.cy), std::abs(camera.height - camera.cy)) / camera.fy)) {
    constexpr int kDirections = 16;
    constexpr double kWidest = 500;  // of a plane: 89.9 degrees
    if (!distortion.any() || distortion.panorama()) return;
    reach_ = distortion.model->projection == Projection::angle ? kPi : kWidest;
    if (!distortion.model->distort) return;
    for (int i = 0; i < kDirections; ++i) {
        const double at = 2 * kPi * i / kDirections;
        reach_ = foldIn({std::cos(at), std::sin(at)}, reach_);
    }
}

dvec2 Lens::distort(dvec2 point) const {
    const LensModel* model = distortion_.model;
    return model && model->distort ? model->distort(distortion_.parameters.data(), point) : point;
}

/// By central differences, which are exact to about 1e-10; columns are the derivatives by x and y.
glm::dmat2 Lens::jacobian(dvec2 point) const {
    const double h = 1e-6 * (glm::length(point) + size_);
    const dvec2 x(h, 0), y(0, h);
    return {(distort(point + x) - distort(point - x)) / (2 * h), (distort(point + y) - distort(point - y)) / (2 * h)};
}

/// Distance from the axis, at most `most`, at which the distortion folds back in a direction: where the determinant of its Jacobian is not positive
/// or not a number. Steps are 2 % of the distance, from 1 % of the image outwards.
double Lens::foldIn(dvec2 direction, double most) const {
    constexpr double kStep = 1.02;
    const auto fine = [&](double distance) { return glm::determinant(jacobian(distance * direction)) > 0; };
    double inside = 0, outside = std::min(0.01 * size_, 0.01 * most);
    for (; outside < most && fine(outside); outside *= kStep) inside = outside;
    if (outside >= most) return most;
    for (int i = 0; i < 30; ++i) {
        const double middle = 0.5 * (inside + outside);
        (fine(middle) ? inside : outside) = middle;
    }
    return inside;
}

/// Newton's method, whose steps are halved until they stay within reach and come nearer; then the distortion there is checked.
std::optional<dvec2> Lens::undistort(dvec2 point) const {
    constexpr int kSteps = 100, kHalvings = 12;
    const double tolerance = 1e-9 * (glm::length(point) + size_);
    const auto errorAt = [&](dvec2 guess) { return glm::length(point - distort(guess)); };
    dvec2 guess = point * std::min(1.0, 0.9 * reach_ / std::max(glm::length(point), 1e-300));
    double error = errorAt(guess);
    for (int step = 0, halving = 0; step < kSteps && halving < kHalvings; ++step) {
        const glm::dmat2 slope = jacobian(guess);
        if (!(glm::determinant(slope) > 0)) return {};
        dvec2 move = glm::inverse(slope) * (point - distort(guess));
        for (halving = 0; halving < kHalvings; ++halving, move *= 0.5) {
            if (!(glm::length(guess + move) <= reach_ && errorAt(guess + move) < error)) continue;
            guess += move;
            error = errorAt(guess);
            break;
        }
    }
    return error <= tolerance ? std::optional(guess) : std::nullopt;
}

std::optional<dvec2> Lens::pixelOf(const dvec3& ray) const {
    const auto point = projected(distortion_.model ? distortion_.model->projection : Projection::plane, ray);
    if (!point || !(glm::length(*point) <= reach_)) return {};
    const dvec2 bent = distort(*point);
    return dvec2(camera_.fx * bent.x + camera_.cx, camera_.fy * bent.y + camera_.cy);
}

std::optional<dvec3> Lens::rayOf(dvec2 pixel) const {
    const dvec2 bent((pixel.x - camera_.cx) / camera_.fx, (pixel.y - camera_.cy) / camera_.fy);
    const bool bends = distortion_.any() && distortion_.model->distort;
    const auto point = bends ? undistort(bent) : std::optional(bent);
    return point ? unprojected(distortion_.model ? distortion_.model->projection : Projection::plane, *point) : std::nullopt;
}

}  // namespace splat
