#pragma once

#include <cstdint>
#include <vector>

#include "scene/camera.h"
#include "scene/dataset.h"
#include "scene/synth/scene.h"

namespace splat::synth {

/// Points as structure from motion would find them: on surfaces that the views see, more where they see more, slightly off.
std::vector<Point> surfacePoints(const Scene& scene, const std::vector<Camera>& cameras, uint64_t seed);

}  // namespace splat::synth
