#pragma once

#include <vector>

#include <splatwright/scene/cameras/focus.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/gaussians/point.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// Initial Gaussians in the training frame: one per point, or random ones in a cube around the cameras' focus (`init`, or if there are no points).
/// Scales are the mean distance to the three nearest neighbours. Under `max_splats` they are fewer: a coveringSubset().
Gaussians initialGaussians(const TrainSettings& settings, const std::vector<Point>& points, const Focus& focus = {});

/// Throws InputError unless `init` is the name of a way to start, or a file.
void checkInit(const TrainSettings& settings);

/// The splats of the file that `init` names, in the dataset's own frame and of the settings' SH degree. Throws InputError like checkInit(), and if the file cannot be read,
/// holds no usable splat, or more than `max_splats`.
Gaussians gaussiansOfFile(const TrainSettings& settings);

}  // namespace splat
