#pragma once

#include <array>
#include <vector>

#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/backward.h>
#include <splatwright/scene/cameras/camera.h>
#include <splatwright/shared/training.h>
#include "reference/blobs.h"

/// Single training steps of a picture's blobs.
namespace splat {

/// Blobs as they are stored, one number per trained field.
Gaussians stored(const std::vector<reference::BlobNumbers>& blobs);

/// Per field, blob by blob.
using Fields = std::array<std::vector<double>, reference::kBlobFields.size()>;

/// What a training step leaves.
struct Step {
    Fields gradients, changes;
    uint32_t unusable = 0;
};

/// Where blobs are drawn.
struct BlobImage {
    Camera camera;
    glm::vec3 background;
};

/// A step of Adam from moments of 0, for a gradient per pixel of the image.
Step gpuStep(gpu::Device& device, const primitives::RadixSort& sort, const AccumulationRow& row,
             const std::vector<reference::BlobNumbers>& blobs, const ModelKind& kind, const BlobImage& image,
             const std::vector<glm::vec3>& gradient, const shared::StepParameters& parameters);

/// Expects the relative error of every field to be within the tolerance.
void expectClose(const Fields& found, const Fields& expected, double tolerance, const std::string& where);

}  // namespace splat
