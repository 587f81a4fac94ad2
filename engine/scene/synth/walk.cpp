#include <splatwright/scene/synth/walk.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <splatwright/core/rng.h>
#include <splatwright/scene/cameras/look_at.h>
#include <splatwright/scene/synth/orbit.h>

namespace splat::synth {

using glm::dvec3;

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Position and direction on the way there and back; `way` counts from 0 to 1.
struct Station {
    dvec3 position, right;
};

Station stationAt(const Walk& walk, double way) {
    const bool back = way >= 0.5;
    const dvec3 along = glm::normalize(dvec3(walk.to) - dvec3(walk.from));
    const dvec3 right = glm::cross(along, dvec3(-kUp));
    return {glm::mix(dvec3(walk.from), dvec3(walk.to), back ? 2 - 2 * way : 2 * way), back ? -right : right};
}

}  // namespace

std::vector<Camera> walkCameras(const Walk& walk, int views, int width, int height, uint64_t seed) {
    constexpr double kJitter = 0.15;  // of the spacing and the swings: enough that no two seeds share a view
    Rng rng(seed);
    const double focal = std::max(width, height) * 0.5 / std::tan(glm::radians(static_cast<double>(walk.fieldOfView)) / 2);
    std::vector<Camera> cameras;
    for (int i = 0; i < views; ++i) {
        const auto [position, right] = stationAt(walk, (i + 0.5 + kJitter * rng.uniform(-1, 1)) / views);
        const double wave = std::sin(kTurn * i / 8) + kJitter * rng.uniform(-1, 1), fast = std::sin(kTurn * 3 * i / 8);
        const double yaw = glm::radians(walk.headingSwing * fast), pitch = glm::radians(walk.tiltSwing * wave);
        const dvec3 along = glm::cross(dvec3(-kUp), right);
        const dvec3 level = std::cos(yaw) * right + std::sin(yaw) * along;
        const dvec3 eye = position + walk.heightSwing * wave * dvec3(kUp);
        cameras.push_back(lookAt(eye, eye + std::cos(pitch) * level - std::sin(pitch) * dvec3(kUp), dvec3(kUp), focal, width, height));
    }
    return cameras;
}

std::vector<Camera> sceneCameras(const Scene& scene, int views, int width, int height, uint64_t seed) {
    if (scene.walk) return walkCameras(*scene.walk, views, width, height, seed);
    return orbitCameras(scene.orbit, views, width, height, seed);
}

}  // namespace splat::synth
