#include <splatwright/scene/synth/points.h>

#include <optional>

#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/synth/picture.h>

namespace splat::synth {

using glm::vec3;

namespace {

constexpr float kNoise = 0.002f;  // standard deviation, of the scene's extent

Point pointAt(const Scene& scene, const Ray& ray, const Hit& hit, Rng& rng) {
    Point point{hit.point, {}};
    for (int axis = 0; axis < 3; ++axis) point.position[axis] += kNoise * scene.extent * static_cast<float>(rng.normal());
    const vec3 colour = shade(scene, ray, hit);
    point.colour = {toByte(colour.r), toByte(colour.g), toByte(colour.b)};
    return point;
}

/// Where the camera sees the point, if nothing hides it.
std::optional<glm::dvec2> placeOf(const Scene& scene, const Lens& lens, const Point& point) {
    const Camera& camera = lens.camera();
    const float tolerance = 10 * kNoise * scene.extent;
    const auto place = lens.pixelOf(camera.rotation * glm::dvec3(point.position) + camera.translation);
    if (!(place && place->x >= 0 && place->y >= 0 && place->x < camera.width && place->y < camera.height)) return {};
    const auto hit = trace(scene, rayThrough(lens, place->x, place->y));
    return hit && glm::distance(hit->point, point.position) < tolerance ? place : std::nullopt;
}

}  // namespace

std::vector<Point> surfacePoints(const Scene& scene, const std::vector<Camera>& cameras, uint64_t seed) {
    Rng rng(seed);
    std::vector<Point> points;
    const size_t attempts = scene.pointCount * 50;  // enough, because scenes cover far more than a fiftieth of their images
    for (size_t i = 0; i < attempts && points.size() < scene.pointCount; ++i) {
        const Camera& camera = cameras[rng.below(cameras.size())];
        const double x = rng.uniform(0, camera.width);
        const double y = rng.uniform(0, camera.height);
        const Ray ray = rayThrough(camera, x, y);
        if (const auto hit = trace(scene, ray)) points.push_back(pointAt(scene, ray, *hit, rng));
    }
    SPLAT_CHECK(points.size() == scene.pointCount, "{} of {} points after {} rays", points.size(), scene.pointCount, attempts);
    return points;
}

Tracks tracksOf(const Scene& scene, const std::vector<Lens>& cameras, const std::vector<Point>& points) {
    Tracks tracks(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
        for (size_t view = 0; view < cameras.size(); ++view) {
            if (const auto place = placeOf(scene, cameras[view], points[i]))
                tracks[i].push_back({static_cast<uint32_t>(view), place->x, place->y});
        }
    }
    return tracks;
}

}  // namespace splat::synth
