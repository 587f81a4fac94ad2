#include <splatwright/prepare/sharpness.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>

namespace splat::prepare {

namespace {

/// Sum and sum of squares of numbers.
struct Moments {
    int64_t sum = 0, squares = 0, count = 0;

    void add(int value) {
        sum += value;
        squares += int64_t{value} * value;
        ++count;
    }
    double variance() const {
        const double n = static_cast<double>(count), mean = static_cast<double>(sum) / n;
        return static_cast<double>(squares) / n - mean * mean;
    }
};

constexpr size_t kNeighbours = 8;        // frames on either side that a frame is compared with
constexpr double kBlurredShare = 0.4;    // of its neighbours' upper quartile; a blur of a pixel takes more than half
constexpr double kLeastMotion = 0.75;    // grey levels of thumbnails; sensor noise of a still camera leaves less than half of it
constexpr double kBlurredDetail = 5e-3;  // sharpness per contrast
constexpr double kCodingNoise = 8;       // sharpness that rounding and compression leave in a picture without detail

uint8_t meanOf(const Image8& grey, int x0, int x1, int y0, int y1) {
    int64_t sum = 0;
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) sum += grey.at(x, y)[0];
    }
    return static_cast<uint8_t>(sum / (int64_t{x1 - x0} * (y1 - y0)));
}

}  // namespace

FrameLook lookOf(const Image8& grey) {
    const int w = grey.width, h = grey.height;
    SPLAT_CHECK(grey.channels == 1 && w >= kThumbnailWidth && h >= kThumbnailHeight, "{}x{}, {} channels", w, h, grey.channels);
    Moments laplacian, levels;
    for (int y = 1; y + 1 < h; ++y) {
        const uint8_t* row = grey.pixels.data() + grey.index(0, y);
        for (int x = 1; x + 1 < w; ++x) {
            laplacian.add(row[x - 1] + row[x + 1] + row[x - w] + row[x + w] - 4 * row[x]);
            levels.add(row[x]);
        }
    }
    FrameLook look{.sharpness = laplacian.variance(), .contrast = levels.variance()};
    for (int y = 0; y < kThumbnailHeight; ++y) {
        for (int x = 0; x < kThumbnailWidth; ++x) {
            look.thumbnail[static_cast<size_t>(y * kThumbnailWidth + x)] = meanOf(
                grey, x * w / kThumbnailWidth, (x + 1) * w / kThumbnailWidth, y * h / kThumbnailHeight, (y + 1) * h / kThumbnailHeight);
        }
    }
    return look;
}

double motionBetween(const FrameLook& a, const FrameLook& b) {
    int sum = 0;
    for (size_t i = 0; i < a.thumbnail.size(); ++i) sum += std::abs(a.thumbnail[i] - b.thumbnail[i]);
    return sum / static_cast<double>(a.thumbnail.size());
}

std::vector<size_t> chooseFrames(std::span<const FrameLook> frames, size_t wanted) {
    const size_t parts = std::min(wanted, frames.size());
    std::vector<size_t> chosen;
    for (size_t part = 0; part < parts; ++part) {
        const size_t first = part * frames.size() / parts, last = (part + 1) * frames.size() / parts;
        const auto window = frames.subspan(first, last - first);
        const size_t best = first + static_cast<size_t>(std::ranges::max_element(window, {}, &FrameLook::sharpness) - window.begin());
        const size_t from = best < kNeighbours ? 0 : best - kNeighbours, to = std::min(frames.size(), best + kNeighbours + 1);
        std::vector<double> values;
        for (size_t i = from; i < to; ++i) values.push_back(frames[i].sharpness);
        const auto quartile = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 3 / 4);
        std::ranges::nth_element(values, quartile);
        const bool blurred = frames[best].sharpness < kBlurredShare * *quartile;
        const bool still = !chosen.empty() && motionBetween(frames[chosen.back()], frames[best]) < kLeastMotion;
        if (!blurred && !still) chosen.push_back(best);
    }
    return chosen;
}

bool allBlurred(std::span<const FrameLook> frames) {
    return std::ranges::none_of(frames,
                                [](const FrameLook& look) { return look.sharpness > kBlurredDetail * look.contrast + kCodingNoise; });
}

}  // namespace splat::prepare
