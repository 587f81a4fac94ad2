#include <splatwright/train/session/session_data.h>

#include <algorithm>

#include <splatwright/core/threads.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/evaluate/flat_picture.h>
#include <splatwright/train/parts/depth_settings.h>
#include <splatwright/train/step/schedule.h>

namespace splat {

bool SessionData::fits(const TrainSettings& s) const {
    if (!data_) return false;
    const auto hasMask = [](const Photograph& p) { return p.covers == Coverage::mask; };
    if (std::ranges::any_of(data_->train, hasMask) && s.background != settings_.background) return false;  // composited when decoded
    if (asksForColourTest(s) && !colourTest_) return false;
    return s.downscale == settings_.downscale && s.masks == settings_.masks &&
           s.of<DepthSettings>().depth == settings_.of<DepthSettings>().depth && s.testEvery == settings_.testEvery &&
           s.trainViews == settings_.trainViews && s.imageMemory == settings_.imageMemory && s.startDownscale == settings_.startDownscale &&
           trainedKind(s).imageChange(s) == trainedKind(settings_).imageChange(settings_);
}

void SessionData::load(const Dataset& dataset, const TrainSettings& settings, const TrainingDataOptions& options,
                       SessionObserver& observer) {
    {
        const std::scoped_lock lock(mutex_);
        targets_.reset();  // before others are read, so that both are never in memory
        data_.reset();
    }
    TrainingData data = loadTrainingData(dataset, settings, options);
    observer.onData(data, settings);
    std::vector<double> flatErrors(data.train.size());
    parallelFor(flatErrors.size(), [&](size_t i) { flatErrors[i] = flatError(data.train[i], settings.background); });
    const std::optional<ColourTest> colourTest = testColours(data, settings);
    auto targets = std::make_unique<Targets>(device_, data.train, uint64_t{settings.imageMemory} << 20u, levelsOf(settings));
    const std::scoped_lock lock(mutex_);
    data_ = std::move(data);
    targets_ = std::move(targets);
    flatErrors_ = std::move(flatErrors);
    colourTest_ = colourTest;
    settings_ = settings;
}

Photograph SessionData::trainingImage(size_t view) const {
    Photograph photograph = data_->train[view];
    targets_->readback(view, photograph);
    return photograph;
}

std::optional<Photograph> SessionData::viewImage(size_t view) const {
    const std::scoped_lock lock(mutex_);
    if (!data_ || view >= data_->train.size() + data_->test.size()) return {};
    Photograph photograph = view < data_->train.size() ? trainingImage(view) : data_->test[view - data_->train.size()];
    photograph.camera = data_->shownCamera(photograph);
    return photograph;
}

}  // namespace splat
