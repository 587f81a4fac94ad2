#pragma once

#include <cstdint>
#include <vector>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

/// Cameras that walk from one end to the other and back, looking to their right, so that both sides are seen once. Height, heading and tilt oscillate
/// over eight views; every eighth view, the usual test split, is in the middle of all oscillations, so that it can be predicted from its neighbours.
std::vector<Camera> walkCameras(const Walk& walk, int views, int width, int height, uint64_t seed);

/// The cameras of a scene: on its walk, or else on its orbit.
std::vector<Camera> sceneCameras(const Scene& scene, int views, int width, int height, uint64_t seed);

}  // namespace splat::synth
