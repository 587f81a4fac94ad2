#pragma once

#include <cstdint>

#include <glm/glm.hpp>

#include <splatwright/train/settings/settings.h>

namespace splat {

/// Number of blobs that a picture is trained to: max_splats, or one per ten pixels.
uint32_t targetBlobs(const TrainSettings& settings, glm::uvec2 picture);
/// Standard deviation of new blobs, pixels.
double sizeOfNewBlobs(const TrainSettings& settings, glm::uvec2 picture);

}  // namespace splat
