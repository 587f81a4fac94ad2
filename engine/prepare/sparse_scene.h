#pragma once

#include <vector>

#include <splatwright/prepare/model_file.h>
#include <splatwright/scene/cameras/lens.h>
#include <splatwright/scene/gaussians/point.h>

namespace splat::prepare {

/// Cameras and points as a viewer shows them.
struct SparseScene {
    std::vector<Camera> cameras;  ///< without distortion
    std::vector<Point> points;
};

/// The lens of a registered image, at its pose. Throws Error if the model does not have its camera.
Lens lensOf(const Model& model, const ModelImage& image);

}  // namespace splat::prepare
