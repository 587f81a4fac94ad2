#pragma once

#include <splatwright/gpu/device.h>
#include <splatwright/scene/dataset.h>
#include <splatwright/scene/gaussians.h>
#include <splatwright/train/settings.h>

namespace splat {

/// Number of blobs that a picture is trained to: max_splats, or one per ten pixels.
uint32_t targetBlobs(const TrainSettings& settings, glm::uvec2 picture);
/// Standard deviation of new blobs, pixels.
double sizeOfNewBlobs(const TrainSettings& settings, glm::uvec2 picture);

/// Parameters of the first blobs of a picture as they are stored (render/blobs.h): placed by systematic draws in proportion to the length of the
/// picture's gradient, or random ones for blobs of the demo.
Gaussians startBlobs(gpu::Device& device, const Photograph& picture, const TrainSettings& settings);

}  // namespace splat
