#pragma once

#include <vector>

#include "scene/dataset.h"
#include "scene/gaussians.h"
#include "train/settings.h"

namespace splat {

/// What training starts from, in the training frame: a gaussian a point, or random ones (`init`); random ones too where there are no points.
/// A start is as wide as its three nearest neighbours are far. Throws InputError for an unknown `init`.
Gaussians initialGaussians(const TrainSettings& settings, const std::vector<Point>& points);

}  // namespace splat
