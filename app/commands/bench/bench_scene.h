#pragma once

#include <string>
#include <vector>

#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/photographs/photographs.h>
#include "commands/context.h"
#include "commands/dataset_options.h"

namespace splat::app {

/// Trained splats and some of their training images, in the training frame.
struct BenchScene {
    Gaussians gaussians;
    std::vector<Photograph> photographs;  ///< evenly spaced
};

inline constexpr uint32_t kBenchViews = 16;

/// Splats, the dataset that they were trained on, and which of its training images are read.
struct BenchFiles {
    std::string splats, data;
    DatasetOptions reading = {};
    int testEvery = 8;                            ///< as `train` by default
    uint32_t views = kBenchViews;                 ///< at most
    PhotographOptions images = {.downscale = 0};  ///< 0: larger images are downscaled to at most 1600 pixels
};

/// Throws InputError.
BenchScene readBenchScene(Context& context, const BenchFiles& files);

/// Makes a procedural scene in a temporary folder and trains on it for a short time: a small one on a software device.
BenchScene makeBenchScene(Context& context);

}  // namespace splat::app
