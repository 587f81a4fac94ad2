#pragma once

#include <mutex>
#include <optional>

#include "train/live_training.h"
#include "train/training_data.h"

namespace splat {

/// The dataset of a live training. One thread loads and reads it as it is; any may ask for views and photographs.
class LiveData {
public:
    // The training thread's.
    /// Whether what is there is what these settings want.
    bool fits(const TrainSettings& settings) const;
    /// In place of what was there. Throws InputError, and what progress throws; then there is nothing.
    void load(const Dataset& dataset, const TrainSettings& settings, const std::function<void(Split, size_t, size_t)>& progress);
    const TrainingData& data() const { return *data_; }
    uint64_t generation() const { return generation_; }

    std::vector<LiveView> views() const;
    std::optional<Photograph> photograph(size_t view) const;

private:
    mutable std::mutex mutex_;  ///< held while anything below is written
    std::optional<TrainingData> data_;
    std::vector<LiveView> views_;  ///< those for training first
    TrainSettings settings_;
    uint64_t generation_ = 0;
};

}  // namespace splat
