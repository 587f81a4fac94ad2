#pragma once

#include <splatwright/core/image.h>

namespace splat::reference {

/// Mean absolute difference over pixels and channels.
double l1(const Image<double>& rendered, const Image<double>& target);

/// Which windows the mean is taken over: all (training), or only those that lie wholly inside the image (evaluation).
/// An image too small to hold one window is averaged over all.
enum class SsimArea { all, valid };

/// Mean structural similarity (Wang et al. 2004) with the 3DGS constants: 11x11 Gaussian window of sigma 1.5, C1 = 0.01², C2 = 0.03²,
/// zeros outside the image.
double ssim(const Image<double>& rendered, const Image<double>& target, SsimArea area = SsimArea::all);

/// Derivative of ssim with respect to the rendered image.
Image<double> ssimGradient(const Image<double>& rendered, const Image<double>& target, SsimArea area = SsimArea::all);

/// Mean squared difference over pixels and channels.
double l2(const Image<double>& rendered, const Image<double>& target);

struct Loss {
    double value = 0;        ///< (1 - lambda) * ((1 - l2Share) * l1 + l2Share * l2) + lambda * (1 - ssim)
    Image<double> gradient;  ///< of value, with respect to the rendered image; sign(0) = 0 in the l1 part
};
Loss photometricLoss(const Image<double>& rendered, const Image<double>& target, double lambda, double l2Share = 0);

/// The photometric loss where a pixel counts by its mask (1 channel, 0..1): mask * rendered + (1 - mask) * target is compared with the target.
Loss maskedLoss(const Image<double>& rendered, const Image<double>& target, const Image<double>& mask, double lambda, double l2Share = 0);

/// Peak signal-to-noise ratio in dB for values in 0..1; infinite for equal images.
double psnr(const Image<double>& rendered, const Image<double>& target);

}  // namespace splat::reference
