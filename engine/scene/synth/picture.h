#pragma once

#include <cstdint>

#include <glm/glm.hpp>

#include <splatwright/core/image.h>
#include <splatwright/scene/cameras/lens.h>
#include <splatwright/scene/synth/march.h>

namespace splat::synth {

/// The ray through an image position, in pixels from the top left corner. The lens must see the position.
Ray rayThrough(const Lens& lens, double x, double y);

/// Colour of a hit as stored in the image, 0..1.
glm::vec3 shade(const Scene& scene, const Ray& ray, const Hit& hit);

/// Scales 0..1 to 0..255 and rounds.
uint8_t toByte(float value);

/// Renders with four samples per pixel, in parallel: 3 channels, or 4 for a scene without a dome (straight alpha, white background).
Image8 renderPicture(const Scene& scene, const Lens& lens);

/// Inverse depths (1 / camera z) at the pixels' centres, in dataset units; 0 where nothing is hit.
ImageF renderInverseDepths(const Scene& scene, const Lens& lens);

}  // namespace splat::synth
