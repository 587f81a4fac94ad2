#include <splatwright/scene/synth/orbit.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <splatwright/core/rng.h>
#include <splatwright/scene/cameras/look_at.h>

namespace splat::synth {

using glm::dvec3;

std::vector<Camera> orbitCameras(const Orbit& orbit, int views, int width, int height, uint64_t seed) {
    constexpr double kTurn = 2 * std::numbers::pi;
    constexpr double kJitter = 0.15;  // of the spacing: views of different seeds differ, but coverage has no gaps
    Rng rng(seed);
    const double focal = std::max(width, height) * 0.5 / std::tan(glm::radians(static_cast<double>(orbit.fieldOfView)) / 2);
    const double start = rng.uniform(0, kTurn);
    std::vector<Camera> cameras;
    for (int i = 0; i < views; ++i) {
        const double azimuth = start + kTurn * (i + kJitter * rng.uniform(-1, 1)) / views;
        const double wave = std::sin(kTurn * i / 8);
        const double elevation = glm::radians(orbit.elevation + orbit.elevationSwing * (wave + kJitter * rng.uniform(-1, 1)));
        const double radius = orbit.radius * (1 + orbit.radiusSwing * std::sin(kTurn * 3 * i / 8));
        const dvec3 offset(std::cos(elevation) * std::cos(azimuth), -std::sin(elevation), std::cos(elevation) * std::sin(azimuth));
        cameras.push_back(lookAt(dvec3(orbit.target) + radius * offset, dvec3(orbit.target), dvec3(kUp), focal, width, height));
    }
    return cameras;
}

}  // namespace splat::synth
