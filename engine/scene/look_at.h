#pragma once

#include "scene/camera.h"

namespace splat {

/// A camera at `eye` with `target` in the middle of its picture; `up` may lean, but not along the way there. focal: pixels.
Camera lookAt(const glm::dvec3& eye, const glm::dvec3& target, const glm::dvec3& up, double focal, int width, int height);

}  // namespace splat
