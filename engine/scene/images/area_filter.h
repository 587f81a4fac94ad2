#pragma once

#include <functional>
#include <span>
#include <vector>

#include <splatwright/core/image.h>

namespace splat {

/// Downscales an image row by row: each new pixel is the exact mean over the area that it covers, including parts of old pixels. Memory holds the
/// sums of one new row.
class AreaFilter {
public:
    using Row = std::function<void(int y, std::span<const float> row)>;

    struct Size {
        int width, height;
    };
    /// `to` is at most `from`. Calls finished() with each new row as soon as its old rows have been added.
    AreaFilter(Size from, Size to, int channels, Row finished);

    /// The next old row from the top, of width * channels values.
    void add(std::span<const float> row);

private:
    void finish();

    Size from_, to_;
    size_t channels_;
    Row finished_;
    int64_t oldY_ = 0, newY_ = 0;
    std::vector<double> sums_;   ///< per old column, over the old rows under the new one
    std::vector<double> pixel_;  ///< per channel
    std::vector<float> row_;     ///< the new one
};

/// Downscales a whole image.
ImageF areaFilter(const ImageF& image, int width, int height);

}  // namespace splat
