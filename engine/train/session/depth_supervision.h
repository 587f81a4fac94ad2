#pragma once

#include <vector>

#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// Completes the depth maps of the training images, or makes them from the points that the images observe, as the settings want. Images whose map
/// cannot be fitted to the points lose it; the log names them. Throws InputError if no image is left.
/// `views`: the dataset's view per image; `points`: the dataset's, in the frame of the images' cameras.
void superviseDepths(std::vector<Photograph>& images, const Dataset& dataset, const std::vector<size_t>& views,
                     const std::vector<Point>& points, const TrainSettings& settings);

}  // namespace splat
