#pragma once

#include <functional>
#include <string>
#include <vector>

#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/datasets/frame.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// Makes a type that contains it movable but not copyable.
struct MoveOnly {
    MoveOnly() = default;
    MoveOnly(MoveOnly&&) = default;
    MoveOnly& operator=(MoveOnly&&) = default;
};

/// What a run trains and is tested on, in the training frame.
struct TrainingData {
    std::string path;    ///< the dataset's, printable
    std::string format;  ///< the dataset's: "colmap" or "transforms"
    TrainingFrame frame;
    std::vector<Point> points;  ///< empty where the dataset has none
    std::vector<Photograph> train, test;
    /// A view's camera in the dataset's frame; that of a picture is before its flat Gaussians.
    Camera shownCamera(const Photograph& view) const;
    [[no_unique_address]] MoveOnly held{};  ///< once: photographs may need many gigabytes
};

struct TrainingDataOptions {
    /// Transparent photographs keep their alpha whatever the settings say now, so that the background may change later.
    bool keepAlpha = false;
    /// progress(split, done, total) is called from any thread, one call at a time; first with done = 0. What it throws ends the loading.
    std::function<void(Split, size_t, size_t)> progress;
};

/// Decodes a dataset's photographs on all cores, as the settings want them. Throws InputError, also when no view is left to train on.
TrainingData loadTrainingData(const Dataset& dataset, const TrainSettings& settings, const TrainingDataOptions& options = {});

/// Throws InputError if the strategy trains a single picture and the dataset is none, or the other way round.
void checkKind(const std::string& path, std::string_view format, const TrainSettings& settings);

/// What training starts from; before the photographs have been moved on.
Gaussians startOf(const TrainingData& data, const TrainSettings& settings);

}  // namespace splat
