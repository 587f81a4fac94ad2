#pragma once

#include <vector>

#include <splatwright/core/image.h>

namespace splat {

/// Pixels per degree of the field of view at which FLIP is published: a monitor of 0.7 m and 3840 pixels, seen from 0.7 m.
inline constexpr double kFlipPixelsPerDegree = 67.0206;

/// What an observer notices of an image, from which FLIP compares: of sRGB with 8 bits and 3 channels.
class FlipImage {
public:
    explicit FlipImage(const Image8& image, double pixelsPerDegree = kFlipPixelsPerDegree);

    int width() const { return width_; }
    int height() const { return height_; }

private:
    friend ImageF flipMap(const FlipImage& a, const FlipImage& b);

    int width_, height_;
    std::vector<float> colour_;          ///< per pixel: L*a*b*, chroma weighted by lightness (Hunt), of what the eye resolves
    std::vector<float> edges_, points_;  ///< per pixel: strength
};

/// The perceived difference per pixel, 0 to 1: FLIP (Andersson et al. 2020), 1 channel. Both have the same size.
ImageF flipMap(const FlipImage& a, const FlipImage& b);
/// Its mean.
double flip(const FlipImage& a, const FlipImage& b);

}  // namespace splat
