#include "viewer/scene/picture_scores.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

#include <splatwright/train/evaluate/flip.h>
#include <splatwright/train/evaluate/metrics.h>
#include "viewer/widgets/legend.h"

namespace splat::app {

namespace {

Image8 imageOf(std::span<const uint32_t> words, glm::uvec2 size) {
    Image8 image(static_cast<int>(size.x), static_cast<int>(size.y), 3);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(words[i / 3] >> (8 * (i % 3)));
    return image;
}

std::vector<uint32_t> coloursOf(const ImageF& map) {
    std::array<uint32_t, 256> colours{};
    for (size_t i = 0; i < colours.size(); ++i) colours[i] = colourAt(static_cast<double>(i) / 255, "inferno");
    std::vector<uint32_t> words(map.pixels.size());
    std::ranges::transform(map.pixels, words.begin(),
                           [&](float v) { return colours[static_cast<size_t>(std::lround(std::clamp(v, 0.0F, 1.0F) * 255))]; });
    return words;
}

}  // namespace

PictureScores scoresOf(std::span<const uint32_t> first, std::span<const uint32_t> second, glm::uvec2 size) {
    const Image8 a = imageOf(first, size), b = imageOf(second, size);
    const ImageF map = flipMap(FlipImage(a), FlipImage(b));
    return {.size = size,
            .psnr = psnr(a, b),
            .ssim = ssim(a, b),
            .flip = std::accumulate(map.pixels.begin(), map.pixels.end(), 0.0) / static_cast<double>(map.pixels.size()),
            .flipMap = coloursOf(map)};
}

void PictureScorer::start(std::span<const uint32_t> first, std::span<const uint32_t> second, glm::uvec2 size) {
    running_ = std::async(std::launch::async, scoresOf, first, second, size);
}

std::optional<PictureScores> PictureScorer::poll() {
    if (!busy() || running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
    return running_.get();
}

void PictureScorer::finish() {
    if (busy()) running_.wait();
}

}  // namespace splat::app
