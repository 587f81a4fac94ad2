#include "train/live_data.h"

#include <algorithm>

#include "core/threads.h"
#include "scene/area_filter.h"
#include "train/metrics.h"

namespace splat {

namespace {

Image8 thumbnailOf(const Image8& image) {
    const int longer = std::max(image.width, image.height);
    if (longer <= LiveView::kThumbnail) return image;
    ImageF pixels(image.width, image.height, image.channels);
    std::ranges::transform(image.pixels, pixels.pixels.begin(), [](uint8_t p) { return static_cast<float>(p) / 255; });
    const auto side = [&](int size) { return std::max(1, size * LiveView::kThumbnail / longer); };
    return quantised(areaFilter(pixels, side(image.width), side(image.height)));
}

std::vector<LiveView> viewsOf(const TrainingData& data, glm::vec3 background) {
    const size_t train = data.train.size();
    std::vector<LiveView> views(train + data.test.size());
    parallelFor(views.size(), [&](size_t i) {
        const Photograph& p = i < train ? data.train[i] : data.test[i - train];
        views[i] = {p.name, fromFrame(data.frame, p.camera), i >= train, thumbnailOf(composited(p, background))};
    });
    return views;
}

}  // namespace

bool LiveData::fits(const TrainSettings& s) const {
    if (!data_) return false;
    const bool composited = std::ranges::any_of(data_->train, [](const Photograph& p) { return p.covers == Coverage::mask; });
    if (composited && s.background != settings_.background) return false;
    return s.downscale == settings_.downscale && s.masks == settings_.masks && s.testEvery == settings_.testEvery;
}

void LiveData::load(const Dataset& dataset, const TrainSettings& settings, const std::function<void(Split, size_t, size_t)>& progress) {
    {
        const std::scoped_lock lock(mutex_);
        data_.reset();  // so that both never stand beside each other
        views_.clear();
    }
    TrainingData data = loadTrainingData(dataset, settings, {.keepAlpha = true, .progress = progress});
    std::vector<LiveView> views = viewsOf(data, settings.background);
    const std::scoped_lock lock(mutex_);
    data_ = std::move(data);
    views_ = std::move(views);
    settings_ = settings;
    ++generation_;
}

std::vector<LiveView> LiveData::views() const {
    const std::scoped_lock lock(mutex_);
    return views_;
}

std::optional<Photograph> LiveData::photograph(size_t view) const {
    const std::scoped_lock lock(mutex_);
    if (view >= views_.size()) return {};
    const size_t train = data_->train.size();
    Photograph photograph = view < train ? data_->train[view] : data_->test[view - train];
    photograph.camera = views_[view].camera;
    return photograph;
}

}  // namespace splat
