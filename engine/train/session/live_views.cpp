#include <splatwright/train/session/live_views.h>

#include <algorithm>
#include <utility>

#include <splatwright/core/threads.h>
#include <splatwright/scene/images/area_filter.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/session/training_data.h>

namespace splat {

std::vector<LiveView> liveViews(const TrainingData& data, glm::vec3 background) {
    const size_t train = data.train.size();
    std::vector<LiveView> views(train + data.test.size());
    parallelFor(views.size(), [&](size_t i) {
        const Photograph& p = i < train ? data.train[i] : data.test[i - train];
        Image8 thumbnail = composited(p, background);
        const int longer = std::max(thumbnail.width, thumbnail.height);
        if (longer > LiveView::kThumbnail) {
            ImageF pixels(thumbnail.width, thumbnail.height, thumbnail.channels);
            std::ranges::transform(thumbnail.pixels, pixels.pixels.begin(), [](uint8_t value) { return static_cast<float>(value) / 255; });
            const auto side = [&](int size) { return std::max(1, size * LiveView::kThumbnail / longer); };
            thumbnail = quantised(areaFilter(pixels, side(thumbnail.width), side(thumbnail.height)));
        }
        views[i] = {p.name, data.shownCamera(p), i >= train, std::move(thumbnail)};
    });
    return views;
}

}  // namespace splat
