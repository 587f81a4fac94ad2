#pragma once

#include <cstdint>
#include <vector>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

/// Cameras on a circle around the target, evenly spaced, with elevation and distance oscillating with a period of eight views. Every eighth view,
/// the usual test split, has the mean elevation and distance, so that its neighbours cover it.
std::vector<Camera> orbitCameras(const Orbit& orbit, int views, int width, int height, uint64_t seed);

}  // namespace splat::synth
