#pragma once

#include <cstdint>
#include <vector>

#include "scene/camera.h"
#include "scene/synth/scene.h"

namespace splat::synth {

/// Cameras once around the target, evenly spaced, rising, sinking, approaching and receding in waves of eight views. Every eighth view, the usual
/// choice for testing, stands in the middle of both waves with neighbours above and below it: it can be predicted from the others.
std::vector<Camera> orbitCameras(const Orbit& orbit, int views, int width, int height, uint64_t seed);

}  // namespace splat::synth
