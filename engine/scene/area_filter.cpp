#include "scene/area_filter.h"

#include <algorithm>

#include "core/error.h"

namespace splat {
namespace {

/// Calls body(old index, overlap) for the old pixels under a new one. Lengths are whole numbers in units in which an old pixel is
/// `newSize` long and a new one `oldSize`; with 8-bit values all sums below are therefore exact in double.
template <class Body>
void forOverlaps(int newIndex, int newSize, int oldSize, Body body) {
    const int64_t begin = int64_t{newIndex} * oldSize, end = begin + oldSize;
    for (int64_t i = begin / newSize; i * newSize < end; ++i) {
        body(static_cast<int>(i), static_cast<double>(std::min(end, (i + 1) * newSize) - std::max(begin, i * newSize)));
    }
}

}  // namespace

ImageF areaFilter(const ImageF& image, int width, int height) {
    CHECK(1 <= width && width <= image.width && 1 <= height && height <= image.height, "{}x{} to {}x{}", image.width, image.height, width,
          height);
    ImageF small(width, height, image.channels);
    const auto channels = static_cast<size_t>(image.channels);
    const double area = static_cast<double>(image.width) * image.height;
    std::vector<double> row(static_cast<size_t>(image.width) * channels);
    std::vector<double> pixel(channels);
    for (int y = 0; y < height; ++y) {
        std::ranges::fill(row, 0.0);
        forOverlaps(y, height, image.height, [&](int oldY, double overlap) {
            const float* old = &image.pixels[image.index(0, oldY)];
            for (size_t i = 0; i < row.size(); ++i) row[i] += overlap * static_cast<double>(old[i]);
        });
        for (int x = 0; x < width; ++x) {
            std::ranges::fill(pixel, 0.0);
            forOverlaps(x, width, image.width, [&](int oldX, double overlap) {
                for (size_t c = 0; c < channels; ++c) pixel[c] += overlap * row[static_cast<size_t>(oldX) * channels + c];
            });
            for (size_t c = 0; c < channels; ++c) small.at(x, y)[c] = static_cast<float>(pixel[c] / area);
        }
    }
    return small;
}

}  // namespace splat
