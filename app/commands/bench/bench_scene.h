#pragma once

#include <string>
#include <vector>

#include <splatwright/scene/dataset.h>
#include <splatwright/scene/gaussians.h>
#include "commands/context.h"

namespace splat::app {

/// Trained splats and some of their training images, in the training frame.
struct BenchScene {
    Gaussians gaussians;
    std::vector<Photograph> photographs;  ///< evenly spaced, at most kBenchViews
};

inline constexpr size_t kBenchViews = 16;

/// Reads splats and the dataset that they were trained on; larger images are downscaled to at most 1600 pixels. Throws InputError.
BenchScene readBenchScene(Context& context, const std::string& splats, const std::string& data);

/// Makes a procedural scene in a temporary folder and trains on it for a short time: a small one on a software device.
BenchScene makeBenchScene(Context& context);

}  // namespace splat::app
