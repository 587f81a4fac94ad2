#pragma once

#include <splatwright/gpu/device.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// Parameters of the first blobs of a picture as they are stored (render/blobs.h): placed by systematic draws in proportion to the length of the
/// picture's gradient, or random ones for blobs of the demo.
Gaussians startBlobs(gpu::Device& device, const Photograph& picture, const TrainSettings& settings);

}  // namespace splat
