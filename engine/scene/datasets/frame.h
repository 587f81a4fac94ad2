#pragma once

#include <span>
#include <vector>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/gaussians/model_transform.h>

namespace splat {

/// The training frame, which makes learning rates and the near plane independent of the dataset's scale: moved to the mean camera position and
/// scaled so that the farthest camera is at distance 1. It has no rotation, so SH coefficients are unchanged.
struct TrainingFrame {
    glm::dvec3 centre{0};
    double scale = 1;  ///< training units per dataset unit
};

/// Scene extent in the training frame: 1.1 times the distance of the farthest camera, as in the reference trainers.
inline constexpr double kFrameExtent = 1.1;

/// The scale is 1 if all cameras are at one point.
TrainingFrame trainingFrame(std::span<const View> views);

/// The camera in the training frame, with the same picture.
Camera toFrame(const TrainingFrame& frame, const Camera& camera);
std::vector<Point> toFrame(const TrainingFrame& frame, std::vector<Point> points);
Gaussians toFrame(const TrainingFrame& frame, Gaussians gaussians);

/// Transform from the training frame to the dataset's own.
ModelTransform transformOf(const TrainingFrame& frame);

/// Transforms Gaussians from the training frame to the dataset's own.
Camera fromFrame(const TrainingFrame& frame, const Camera& camera);
Gaussians fromFrame(const TrainingFrame& frame, Gaussians gaussians);

}  // namespace splat
