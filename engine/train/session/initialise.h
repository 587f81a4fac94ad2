#pragma once

#include <vector>

#include <splatwright/scene/cameras/focus.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/gaussians/point.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// Initial Gaussians in the training frame: one per point, or random ones in a cube around the cameras' focus (`init`, or if there are no points).
/// Scales are the mean distance to the three nearest neighbours. Under `max_splats` they are fewer: a coveringSubset(). Throws InputError for an unknown `init`.
Gaussians initialGaussians(const TrainSettings& settings, const std::vector<Point>& points, const Focus& focus = {});

}  // namespace splat
