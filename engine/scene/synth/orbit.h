#pragma once

#include <cstdint>
#include <vector>

#include <splatwright/scene/camera.h>
#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

/// Cameras on a circle around the target, evenly spaced, with elevation and distance oscillating over eight views. Every eighth view, the usual test
/// split, is in the middle of both oscillations, so that it can be predicted from its neighbours.
std::vector<Camera> orbitCameras(const Orbit& orbit, int views, int width, int height, uint64_t seed);

}  // namespace splat::synth
