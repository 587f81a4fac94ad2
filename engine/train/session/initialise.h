#pragma once

#include <vector>

#include <splatwright/scene/dataset.h>
#include <splatwright/scene/focus.h>
#include <splatwright/scene/gaussians.h>
#include <splatwright/train/settings.h>

namespace splat {

/// What training starts from, in the training frame: a gaussian a point, or random ones in a cube around what the cameras look at (`init`);
/// random ones too where there are no points.
/// A start is as wide as its three nearest neighbours are far. Throws InputError for an unknown `init`.
Gaussians initialGaussians(const TrainSettings& settings, const std::vector<Point>& points, const Focus& focus = {});

}  // namespace splat
