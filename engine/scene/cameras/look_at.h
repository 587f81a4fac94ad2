#pragma once

#include <splatwright/scene/cameras/camera.h>

namespace splat {

/// A camera at `eye` with `target` in the centre of its image; `up` need not be orthogonal, but not parallel to the view direction. focal: pixels.
Camera lookAt(const glm::dvec3& eye, const glm::dvec3& target, const glm::dvec3& up, double focal, int width, int height);

}  // namespace splat
