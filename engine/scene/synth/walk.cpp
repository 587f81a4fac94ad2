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

}  // namespace

std::vector<Camera> walkCameras(const Walk& walk, int views, int width, int height, uint64_t seed) {
    constexpr double kJitter = 0.15;  // of the spacing and the swings: enough that no two seeds share a view
    Rng rng(seed);
    const double focal = std::max(width, height) * 0.5 / std::tan(glm::radians(static_cast<double>(walk.fieldOfView)) / 2);
    const dvec3 from(walk.from), to(walk.to), across = glm::cross(glm::normalize(to - from), dvec3(-kUp));
    std::vector<Camera> cameras;
    for (int i = 0; i < views; ++i) {
        const double way = (i + 0.5 + kJitter * rng.uniform(-1, 1)) / views;  // there and back, from 0 to 1
        const bool back = way >= 0.5;
        const dvec3 position = glm::mix(from, to, back ? 2 - 2 * way : 2 * way), right = back ? -across : across;
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
