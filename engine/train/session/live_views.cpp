#include <splatwright/train/session/live_views.h>

#include <algorithm>

#include <splatwright/core/threads.h>
#include <splatwright/scene/images/area_filter.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/session/training_data.h>

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

}  // namespace

std::vector<LiveView> liveViews(const TrainingData& data, glm::vec3 background) {
    const size_t train = data.train.size();
    std::vector<LiveView> views(train + data.test.size());
    parallelFor(views.size(), [&](size_t i) {
        const Photograph& p = i < train ? data.train[i] : data.test[i - train];
        views[i] = {p.name, data.shownCamera(p), i >= train, thumbnailOf(composited(p, background))};
    });
    return views;
}

}  // namespace splat
