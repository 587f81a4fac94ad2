#include <splatwright/scene/synth/points.h>

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

}  // namespace splat::synth
