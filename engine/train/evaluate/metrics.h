#pragma once

#include <splatwright/core/image.h>

namespace splat {

/// Clamped to 0..1 and rounded to the nearest of 256 steps, as a picture file would hold it; NaN becomes 0.
Image8 quantised(const ImageF& image);

/// Peak signal-to-noise ratio in dB over all pixels and channels. Equal images give +infinity: JSON has no such number, so write null.
/// Images must agree in size and channels, here and below.
double psnr(const Image8& render, const Image8& photograph);

/// Mean structural similarity (Wang et al. 2004) over channels and over all 11x11 Gaussian windows (sigma 1.5) that lie wholly inside the
/// image. An image narrower or lower than 11 pixels holds none: it is averaged over every pixel instead, with zeros outside (as the
/// training loss).
double ssim(const Image8& render, const Image8& photograph);

}  // namespace splat
