#pragma once

#include <span>
#include <vector>

#include "scene/camera.h"
#include "scene/dataset.h"
#include "scene/gaussians.h"
#include "scene/placement.h"

namespace splat {

/// The frame that training works in, so that learning rates and the near plane mean the same in every dataset: the dataset's own, moved to
/// the mean camera position and scaled so that the farthest camera is at distance 1. No rotation, so that SH coefficients stay as they are.
struct TrainingFrame {
    glm::dvec3 centre{0};
    double scale = 1;  ///< training units a dataset unit
};

/// Scene extent in the training frame: 1.1 times the distance of the farthest camera, as the reference trainers have it.
inline constexpr double kFrameExtent = 1.1;

/// Scale 1 when all cameras stand in one place.
TrainingFrame trainingFrame(std::span<const View> views);

/// The same view of the moved world: the picture does not change.
Camera toFrame(const TrainingFrame& frame, const Camera& camera);
std::vector<Point> toFrame(const TrainingFrame& frame, std::vector<Point> points);
Gaussians toFrame(const TrainingFrame& frame, Gaussians gaussians);

/// Takes the frame back into the dataset's own.
Placement placementOf(const TrainingFrame& frame);

/// Back into the dataset's own frame.
Camera fromFrame(const TrainingFrame& frame, const Camera& camera);
Gaussians fromFrame(const TrainingFrame& frame, Gaussians gaussians);

}  // namespace splat
