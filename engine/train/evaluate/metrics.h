#pragma once

#include <cstdint>

#include <splatwright/core/image.h>

namespace splat {

/// Clamps to 0..1 and rounds to 8 bits, as an image file stores it; NaN becomes 0.
Image8 quantised(const ImageF& image);

/// Peak signal-to-noise ratio in dB over all pixels and channels; +infinity for equal images (null in JSON). Here and below, images must have the
/// same size and number of channels.
double psnr(const Image8& render, const Image8& photograph);

/// Mean structural similarity (Wang et al. 2004) over channels and over all 11x11 Gaussian windows (sigma 1.5) that are entirely inside the
/// image. For images with a side below 11 pixels, the mean over all pixels with zeros outside, as in the training loss.
double ssim(const Image8& render, const Image8& photograph);

}  // namespace splat
