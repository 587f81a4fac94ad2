#include "viewer/scene/backdrop.h"

#include <algorithm>
#include <cmath>

#include <splatwright/core/names.h>
#include <splatwright/scene/images/image_file.h>
#include "viewer/scene/view_image.h"

namespace splat::app {

namespace {

/// 3 channels: transparent parts are dark.
Image8 opaque(const Image8& image) {
    if (image.channels == 3) return image;
    Image8 result(image.width, image.height, 3);
    for (size_t i = 0; i < result.pixels.size(); ++i)
        result.pixels[i] = static_cast<uint8_t>(image.pixels[i / 3 * 4 + i % 3] * image.pixels[i / 3 * 4 + 3] / 255);
    return result;
}

}  // namespace

void Backdrop::load(const std::filesystem::path& file) {
    image_ = opaque(readImage(file));
    name_ = printable(file.filename().string());
    ++revision_;
}

void Backdrop::remove() {
    image_ = {};
    name_.clear();
    ++revision_;
}

void Backdrop::fit(glm::uvec2 size, WorldView& pictures) {
    if (fitted_ == revision_ && (name_.empty() || size_ == size)) return;
    pictures.backdrop.reset();
    if (pixels_) {
        pictures.finish();
        device_.waitForAll();  // a frame may read it
    }
    if (size_ != size || name_.empty()) pixels_ = {};
    fitted_ = revision_;
    size_ = size;
    if (name_.empty()) return;
    const auto width = static_cast<int>(size.x), height = static_cast<int>(size.y);
    const auto words = gpu::texelsOf(resampled(middleOf(image_, width, height), width, height));
    if (!pixels_) pixels_ = device_.buffer<uint32_t>("background picture", words.size());
    device_.upload(pixels_, words);
    pictures.backdrop = {.pixels = pixels_, .size = size};
}

Image8 middleOf(const Image8& image, int width, int height) {
    const double scale = std::min(static_cast<double>(image.width) / width, static_cast<double>(image.height) / height);
    Image8 middle(std::max(static_cast<int>(std::lround(scale * width)), 1), std::max(static_cast<int>(std::lround(scale * height)), 1),
                  image.channels);
    const int left = (image.width - middle.width) / 2, top = (image.height - middle.height) / 2;
    for (int y = 0; y < middle.height; ++y)
        std::copy_n(image.at(left, top + y).data(), middle.width * middle.channels, middle.at(0, y).data());
    return middle;
}

}  // namespace splat::app
