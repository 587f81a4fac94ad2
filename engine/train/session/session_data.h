#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <splatwright/train/loss/targets.h>
#include <splatwright/train/session/colour_test.h>
#include <splatwright/train/session/session_observer.h>
#include <splatwright/train/session/training_data.h>

namespace splat {

/// The images and views of a session. Training images exist once, in the targets, and stay there when training restarts. The session's thread
/// loads; any thread may request a view's image.
class SessionData {
public:
    explicit SessionData(gpu::Device& device) : device_(device) {}

    /// Whether the loaded images match the settings, and what was measured of them.
    bool fits(const TrainSettings& settings) const;
    /// Replaces what was loaded. Calls observer.onData() while training images still have their pixels. Throws InputError, and what
    /// options.progress throws; then nothing is loaded.
    void load(const Dataset& dataset, const TrainSettings& settings, const TrainingDataOptions& options, SessionObserver& observer);
    /// Pixels of training images are in targets().
    const TrainingData& data() const { return *data_; }
    Targets& targets() { return *targets_; }
    /// flatError() of each training view.
    const std::vector<double>& flatErrors() const { return flatErrors_; }
    /// testColours() of them; none if the settings that they were loaded for did not ask for it.
    const std::optional<ColourTest>& colourTest() const { return colourTest_; }
    /// A view of data().train with its pixels, camera in the training frame.
    Photograph trainingImage(size_t view) const;

    /// TrainingSession::viewImage(). For any thread.
    std::optional<Photograph> viewImage(size_t view) const;

private:
    gpu::Device& device_;
    mutable std::mutex mutex_;  ///< held while anything below is replaced
    std::optional<TrainingData> data_;
    std::unique_ptr<Targets> targets_;
    std::vector<double> flatErrors_;
    std::optional<ColourTest> colourTest_;
    TrainSettings settings_;  ///< that data_ was loaded for
};

}  // namespace splat
