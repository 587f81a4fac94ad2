#include <splatwright/prepare/scene_frame.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/core/rng.h>

namespace splat::prepare {

using glm::dmat3;
using glm::dvec3;

namespace {

constexpr int kDraws = 400;          // a plane of a fifth of the points is drawn with probability 1 - (1 - 0.2^3)^400 = 0.96
constexpr double kLeastShare = 0.2;  // of the points
constexpr double kTolerance = 0.01;  // of the cameras' radius
const double kLevel = std::cos(glm::radians(25.0));

/// Any direction at right angles to this one.
dvec3 perpendicular(const dvec3& v) {
    return glm::normalize(std::abs(v.x) < 0.9 ? glm::cross(v, dvec3(1, 0, 0)) : glm::cross(v, dvec3(0, 1, 0)));
}

/// The smallest rotation that takes one direction to another (Rodrigues' formula).
dmat3 rotationBetween(const dvec3& from, const dvec3& to) {
    const double cosine = glm::dot(from, to);
    const dvec3 axis = cosine > -1 + 1e-12 ? glm::cross(from, to) : perpendicular(from);
    if (cosine <= -1 + 1e-12) return 2.0 * glm::outerProduct(axis, axis) - dmat3(1);
    const dmat3 k(0, axis.z, -axis.y, -axis.z, 0, axis.x, axis.y, -axis.x, 0);
    return dmat3(1) + k + k * k / (1 + cosine);
}

template <class Take>
size_t forEachNear(std::span<const dvec3> points, const dvec3& normal, double offset, double tolerance, const Take& take) {
    size_t count = 0;
    for (const dvec3& p : points) {
        if (std::abs(glm::dot(normal, p) - offset) > tolerance) continue;
        take(p);
        ++count;
    }
    return count;
}

/// The plane h = a x + b y + c of heights above a nearly level plane, by least squares over the points near that plane.
std::optional<Plane> refined(std::span<const dvec3> points, const Plane& plane, double tolerance) {
    const dvec3 x = perpendicular(plane.normal), y = glm::cross(plane.normal, x);
    dmat3 sums(0);
    dvec3 heights(0);
    const size_t count = forEachNear(points, plane.normal, plane.offset, tolerance, [&](const dvec3& p) {
        const dvec3 row(glm::dot(x, p), glm::dot(y, p), 1);
        sums += glm::outerProduct(row, row);
        heights += glm::dot(plane.normal, p) * row;
    });
    if (std::abs(glm::determinant(sums)) < 1e-12 * std::pow(std::max(sums[0][0], sums[1][1]), 2)) return std::nullopt;
    const dvec3 abc = glm::inverse(sums) * heights;
    const dvec3 normal = glm::normalize(plane.normal - abc.x * x - abc.y * y);
    return Plane{normal, abc.z * glm::dot(normal, plane.normal), count};
}

const ModelImage& named(const Model& model, const std::string& name) {
    const auto found = std::ranges::find(model.images, name, &ModelImage::name);
    if (found == model.images.end())
        throw InputError("'{}': is not among the registered photographs, which a distance needs", escapedName(name));
    return *found;
}

double scaleFor(const Model& model, const KnownDistance& known) {
    const double distance = glm::distance(named(model, known.first).position(), named(model, known.second).position());
    if (distance > 1e-9) return known.metres / distance;
    throw InputError("'{}' and '{}': were taken from one place, expected photographs with a distance between them",
                     escapedName(known.first), escapedName(known.second));
}

}  // namespace

void apply(const Similarity& s, Model& model) {
    const glm::dquat back = glm::quat_cast(glm::transpose(s.rotation));
    for (ModelImage& image : model.images) {
        // rotation * p + translation = (rotation * back * (p' - t)) / scale + translation, and a camera's picture does not change with scale.
        image.rotation = glm::normalize(image.rotation * back);
        image.translation = s.scale * image.translation - image.rotation * s.translation;
    }
    for (ModelPoint& point : model.points) point.position = s(point.position);
}

std::optional<Plane> dominantPlane(std::span<const dvec3> points, const dvec3& up, double tolerance) {
    if (points.size() < 3) return std::nullopt;
    Rng rng(1);
    Plane best;
    for (int draw = 0; draw < kDraws; ++draw) {
        const dvec3 a = points[rng.below(points.size())], b = points[rng.below(points.size())], c = points[rng.below(points.size())];
        const dvec3 across = glm::cross(b - a, c - a);
        if (glm::length(across) < 1e-12) continue;
        const dvec3 normal = glm::normalize(across) * (glm::dot(across, up) < 0 ? -1.0 : 1.0);
        if (glm::dot(normal, up) < kLevel) continue;
        const size_t count = forEachNear(points, normal, glm::dot(normal, a), tolerance, [](const dvec3&) {});
        if (count > best.points) best = {normal, glm::dot(normal, a), count};
    }
    if (static_cast<double>(best.points) < kLeastShare * static_cast<double>(points.size()) || best.points < 3) return std::nullopt;
    return refined(points, best, tolerance);
}

void checkDistance(const std::optional<KnownDistance>& known, std::span<const std::string> photographs) {
    if (!known || photographs.empty()) return;
    if (known->first == known->second)
        throw InputError("'{}': has no distance to itself, expected the names of two photographs", escapedName(known->first));
    for (const std::string& name : {known->first, known->second}) {
        if (std::ranges::find(photographs, name) == photographs.end())
            throw InputError("'{}': is not among the {} photographs, which a distance needs; expected a name such as '{}'",
                             escapedName(name), photographs.size(), escapedName(photographs.front()));
    }
}

SceneFrame sceneFrame(const Model& model, const std::function<dvec3(const ModelImage&)>& up, const std::optional<KnownDistance>& known) {
    SPLAT_CHECK(!model.images.empty(), "a model without images");
    const double count = static_cast<double>(model.images.size());
    dvec3 positions(0), upward(0);
    for (const ModelImage& image : model.images) {
        positions += image.position();
        upward += glm::conjugate(image.rotation) * up(image);
    }
    const dvec3 centre = positions / count;
    const dvec3 cameras = glm::length(upward) > 1e-6 * count ? glm::normalize(upward) : dvec3(0, -1, 0);
    double radius = 0;
    for (const ModelImage& image : model.images) radius = std::max(radius, glm::distance(centre, image.position()));
    std::vector<dvec3> points;
    for (const ModelPoint& point : model.points) points.push_back(point.position);
    const auto plane = dominantPlane(points, cameras, kTolerance * radius);
    SceneFrame frame{.similarity = {}, .plane = plane.has_value(), .metres = known.has_value()};
    frame.similarity.rotation = rotationBetween(plane ? plane->normal : cameras, dvec3(0, -1, 0));
    frame.similarity.scale = known ? scaleFor(model, *known) : radius > 0 ? 1 / radius : 1;
    frame.similarity.translation = -frame.similarity.scale * (frame.similarity.rotation * centre);
    return frame;
}

SceneFrame gpsFrame(const Model& model, const std::function<std::optional<GeoPosition>(const ModelImage&)>& positionOf) {
    std::vector<GpsCamera> cameras;
    for (const ModelImage& image : model.images) {
        if (const auto position = positionOf(image)) cameras.push_back({image.position(), *position});
    }
    SceneFrame frame{.similarity = {}, .metres = true, .gps = fitGps(cameras)};
    frame.similarity = frame.gps->similarity;
    return frame;
}

}  // namespace splat::prepare
