#include "viewer/scene/view_image.h"

#include <algorithm>
#include <cmath>

#include <splatwright/scene/images/area_filter.h>

namespace splat::app {

namespace {

/// Between the two nearest pixels along one axis; pixels lie at their centres.
struct Between {
    int low, high;
    float part;  ///< of the higher one
};

Between between(int at, int size, int from) {
    const float place = std::clamp((static_cast<float>(at) + 0.5F) * static_cast<float>(from) / static_cast<float>(size) - 0.5F, 0.0F,
                                   static_cast<float>(from - 1));
    const int low = static_cast<int>(place);
    return {low, std::min(low + 1, from - 1), place - static_cast<float>(low)};
}

ImageF enlarged(const ImageF& image, int width, int height) {
    ImageF large(width, height, image.channels);
    for (int y = 0; y < height; ++y) {
        const Between v = between(y, height, image.height);
        for (int x = 0; x < width; ++x) {
            const Between h = between(x, width, image.width);
            for (size_t c = 0; c < static_cast<size_t>(image.channels); ++c) {
                const float above = std::lerp(image.at(h.low, v.low)[c], image.at(h.high, v.low)[c], h.part);
                const float below = std::lerp(image.at(h.low, v.high)[c], image.at(h.high, v.high)[c], h.part);
                large.at(x, y)[c] = std::lerp(above, below, v.part);
            }
        }
    }
    return large;
}

}  // namespace

Image8 resampled(const Image8& image, int width, int height) {
    if (image.width == width && image.height == height) return image;
    ImageF values(image.width, image.height, image.channels);
    std::ranges::transform(image.pixels, values.pixels.begin(), [](uint8_t v) { return static_cast<float>(v) / 255; });
    const ImageF small = areaFilter(values, std::min(width, image.width), std::min(height, image.height));
    const ImageF right = enlarged(small, width, height);
    Image8 result(width, height, image.channels);
    std::ranges::transform(right.pixels, result.pixels.begin(), [](float v) { return static_cast<uint8_t>(std::lround(v * 255)); });
    return result;
}

void ViewImage::fit(Training* training, std::optional<size_t> view, glm::uvec2 size, WorldView& pictures) {
    if (view_ == view && (!view || size_ == size)) return;
    pictures.groundTruth.reset();
    if (pixels_) {
        pictures.finish();
        device_.waitForAll();  // a frame may show it
    }
    pixels_ = {};
    view_ = view;
    size_ = size;
    const auto groundTruth = training && view ? training->live().viewImage(*view) : std::nullopt;
    if (!groundTruth) return;
    const auto words = gpu::texelsOf(resampled(groundTruth->image, static_cast<int>(size.x), static_cast<int>(size.y)));
    pixels_ = device_.buffer<uint32_t>("ground truth", words.size());
    device_.upload(pixels_, words);
    texture_ = {pixels_, size};
}

std::optional<GroundTruth> ViewImage::groundTruth() const {
    if (!pixels_) return std::nullopt;
    return GroundTruth{.pixels = pixels_, .size = size_};
}

}  // namespace splat::app
