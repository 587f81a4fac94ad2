#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/image.h"

namespace splat {

/// Shrinks an image row by row: every new pixel is the exact mean over the area that it covers, also where that cuts old pixels. Only sums of
/// one new row are in memory.
class AreaFilter {
public:
    using Row = std::function<void(int y, std::span<const float> row)>;

    struct Size {
        int width, height;
    };
    /// `to` is at most `from`. Each new row goes to finished() as soon as the old rows under it were added.
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

/// The same for a whole image.
ImageF areaFilter(const ImageF& image, int width, int height);

}  // namespace splat
