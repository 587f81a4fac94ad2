#include <splatwright/train/evaluate/flat_picture.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace splat {

namespace {

/// Weight per value of a channel.
using Histogram = std::array<uint64_t, 256>;
using Colour = std::array<uint8_t, 3>;

std::array<Histogram, 3> histogramsOf(const Photograph& photograph, const Image8& image) {
    std::array<Histogram, 3> histograms{};
    for (size_t i = 0; i < image.pixels.size(); ++i) {
        const size_t pixel = i / 3;
        const uint64_t weight = photograph.covers == Coverage::mask ? photograph.coverage.pixels[pixel] : 255;
        histograms[i % 3][image.pixels[i]] += weight;
    }
    return histograms;
}

uint64_t totalOf(const Histogram& histogram) { return std::accumulate(histogram.begin(), histogram.end(), uint64_t{0}); }

uint8_t meanOf(const Histogram& histogram) {
    uint64_t sum = 0;
    const uint64_t total = totalOf(histogram);
    for (size_t value = 0; value < histogram.size(); ++value) sum += value * histogram[value];
    return total > 0 ? static_cast<uint8_t>((sum + total / 2) / total) : uint8_t{0};
}

uint8_t medianOf(const Histogram& histogram) {
    const uint64_t half = (totalOf(histogram) + 1) / 2;
    uint64_t below = 0;
    size_t value = 0;
    while (value < 255 && (below += histogram[value]) < half) ++value;
    return static_cast<uint8_t>(value);
}

}  // namespace

Image8 flatPicture(const Photograph& photograph, glm::vec3 background) {
    const auto histograms = histogramsOf(photograph, composited(photograph, background));
    Colour colour{};
    for (size_t channel = 0; channel < 3; ++channel) colour[channel] = meanOf(histograms[channel]);
    Image8 flat(photograph.image.width, photograph.image.height, 3);
    for (size_t i = 0; i < flat.pixels.size(); ++i) flat.pixels[i] = colour[i % 3];
    return flat;
}

double flatError(const Photograph& photograph, glm::vec3 background) {
    double sum = 0;
    for (const Histogram& histogram : histogramsOf(photograph, composited(photograph, background))) {
        const int median = medianOf(histogram);
        for (int value = 0; value < 256; ++value)
            sum += std::abs(value - median) * static_cast<double>(histogram[static_cast<size_t>(value)]);
    }
    return sum / (255.0 * 255.0 * static_cast<double>(photograph.image.pixels.size()));
}

}  // namespace splat
