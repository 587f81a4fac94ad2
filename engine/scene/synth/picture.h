#pragma once

#include <cstdint>

#include <glm/glm.hpp>

#include "core/image.h"
#include "scene/camera.h"
#include "scene/synth/march.h"

namespace splat::synth {

/// The ray through a place in the picture, pixels from its left and top edge.
Ray rayThrough(const Camera& camera, double x, double y);

/// Colour of a hit as the picture stores it, 0..1.
glm::vec3 shade(const Scene& scene, const Ray& ray, const Hit& hit);

/// Rounded to 0..255.
uint8_t toByte(float value);

/// Four samples a pixel, on all cores; 3 channels, or 4 (straight alpha, white where nothing is) for a scene without a dome.
Image8 renderPicture(const Scene& scene, const Camera& camera);

}  // namespace splat::synth
