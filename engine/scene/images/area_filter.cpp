#include <splatwright/scene/images/area_filter.h>

#include <algorithm>
#include <utility>

#include <splatwright/core/error.h>

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

AreaFilter::AreaFilter(Size from, Size to, int channels, Row finished)
    : from_(from),
      to_(to),
      channels_(static_cast<size_t>(channels)),
      finished_(std::move(finished)),
      sums_(static_cast<size_t>(from.width) * channels_),
      pixel_(channels_),
      row_(static_cast<size_t>(to.width) * channels_) {
    SPLAT_CHECK(1 <= to.width && to.width <= from.width && 1 <= to.height && to.height <= from.height, "{}x{} to {}x{}", from.width,
                from.height, to.width, to.height);
}

/// An old row is inside one new row, or split by the border between two; lengths are in the units of forOverlaps().
void AreaFilter::add(std::span<const float> row) {
    SPLAT_CHECK(row.size() == sums_.size() && oldY_ < from_.height, "row {} of {} values, expected {}", oldY_, row.size(), sums_.size());
    const int64_t end = (oldY_ + 1) * to_.height;
    for (int64_t begin = oldY_ * to_.height; begin < end;) {
        const int64_t border = (newY_ + 1) * from_.height;
        const auto overlap = static_cast<double>(std::min(end, border) - begin);
        for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += overlap * static_cast<double>(row[i]);
        begin = std::min(end, border);
        if (begin == border) finish();
    }
    ++oldY_;
}

void AreaFilter::finish() {
    const double area = static_cast<double>(from_.width) * from_.height;
    for (int x = 0; x < to_.width; ++x) {
        std::ranges::fill(pixel_, 0.0);
        forOverlaps(x, to_.width, from_.width, [&](int oldX, double overlap) {
            for (size_t c = 0; c < channels_; ++c) pixel_[c] += overlap * sums_[static_cast<size_t>(oldX) * channels_ + c];
        });
        for (size_t c = 0; c < channels_; ++c) row_[static_cast<size_t>(x) * channels_ + c] = static_cast<float>(pixel_[c] / area);
    }
    finished_(static_cast<int>(newY_++), row_);
    std::ranges::fill(sums_, 0.0);
}

ImageF areaFilter(const ImageF& image, int width, int height) {
    ImageF small(width, height, image.channels);
    AreaFilter filter({image.width, image.height}, {width, height}, image.channels, [&](int y, std::span<const float> row) {
        std::ranges::copy(row, small.pixels.begin() + static_cast<std::ptrdiff_t>(small.index(0, y)));
    });
    const size_t rowValues = static_cast<size_t>(image.width) * static_cast<size_t>(image.channels);
    for (int y = 0; y < image.height; ++y) filter.add(std::span(image.pixels).subspan(image.index(0, y), rowValues));
    return small;
}

}  // namespace splat
