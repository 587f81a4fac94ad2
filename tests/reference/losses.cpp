#include "reference/losses.h"

#include <array>
#include <cmath>
#include <limits>

#include <splatwright/core/error.h>

namespace splat::reference {
namespace {

using Plane = Image<double>;

constexpr int kRadius = 5;
constexpr double kSigma = 1.5;
constexpr double kC1 = 0.01 * 0.01;
constexpr double kC2 = 0.03 * 0.03;

std::array<double, 2 * kRadius + 1> gaussianWindow() {
    std::array<double, 2 * kRadius + 1> window{};
    double sum = 0;
    for (int k = -kRadius; k <= kRadius; ++k) sum += window[static_cast<size_t>(k + kRadius)] = std::exp(-k * k / (2 * kSigma * kSigma));
    for (double& weight : window) weight /= sum;
    return window;
}

/// Convolution with the window along one axis, zeros outside.
Plane blurAlong(const Plane& in, int dx, int dy) {
    static const auto window = gaussianWindow();
    Plane out(in.width, in.height, in.channels);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            for (int k = -kRadius; k <= kRadius; ++k) {
                const int sx = x + k * dx, sy = y + k * dy;
                if (sx < 0 || sy < 0 || sx >= in.width || sy >= in.height) continue;
                for (size_t c = 0; c < static_cast<size_t>(in.channels); ++c)
                    out.at(x, y)[c] += window[static_cast<size_t>(k + kRadius)] * in.at(sx, sy)[c];
            }
    return out;
}

/// Symmetric, so that it is its own transpose: the same function carries gradients back.
Plane blur(const Plane& in) { return blurAlong(blurAlong(in, 1, 0), 0, 1); }

Plane product(const Plane& a, const Plane& b) {
    Plane out(a.width, a.height, a.channels);
    for (size_t i = 0; i < out.pixels.size(); ++i) out.pixels[i] = a.pixels[i] * b.pixels[i];
    return out;
}

void checkSameShape(const Plane& a, const Plane& b) {
    SPLAT_CHECK(a.width == b.width && a.height == b.height && a.channels == b.channels, "{}x{}x{} against {}x{}x{}", a.width, a.height,
                a.channels, b.width, b.height, b.channels);
}

/// Windowed means of x, y, x², y² and xy.
struct Moments {
    Plane x, y, xx, yy, xy;
};

Moments moments(const Plane& x, const Plane& y) {
    checkSameShape(x, y);
    return {.x = blur(x), .y = blur(y), .xx = blur(product(x, x)), .yy = blur(product(y, y)), .xy = blur(product(x, y))};
}

/// SSIM of one window and its derivatives with respect to the means of x, x² and xy.
struct Similarity {
    double value, dX, dXx, dXy;
};

Similarity similarity(const Moments& m, size_t i) {
    const double mx = m.x.pixels[i], my = m.y.pixels[i];
    const double means = 2 * mx * my + kC1, meanSquares = mx * mx + my * my + kC1;
    const double covariance = 2 * (m.xy.pixels[i] - mx * my) + kC2;
    const double variances = m.xx.pixels[i] - mx * mx + m.yy.pixels[i] - my * my + kC2;
    const double luminance = means / meanSquares, structure = covariance / variances;
    const double dLuminance = (2 * my - luminance * 2 * mx) / meanSquares;
    const double dStructure = (-2 * my + structure * 2 * mx) / variances;
    return {.value = luminance * structure,
            .dX = dLuminance * structure + luminance * dStructure,
            .dXx = -luminance * structure / variances,
            .dXy = 2 * luminance / variances};
}

/// Weight of each pixel's window in the mean: 1/n over the area, 0 outside; per value, so that channels are averaged too.
struct AreaWeight {
    int border;
    double weight;

    AreaWeight(const Plane& image, SsimArea area) : border(area == SsimArea::valid ? kRadius : 0) {
        if (image.width <= 2 * border || image.height <= 2 * border) border = 0;
        weight = 1.0 / ((image.width - 2 * border) * (image.height - 2 * border) * image.channels);
    }
    double at(const Plane& image, int x, int y) const {
        const bool inside = x >= border && y >= border && x < image.width - border && y < image.height - border;
        return inside ? weight : 0;
    }
};

/// Calls body(index into pixels, weight) for every value of the image.
template <class Body>
void forEachWeighted(const Plane& image, SsimArea area, const Body& body) {
    const AreaWeight weights(image, area);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            for (size_t c = 0; c < static_cast<size_t>(image.channels); ++c) body(image.index(x, y) + c, weights.at(image, x, y));
}

}  // namespace

double l1(const Image<double>& rendered, const Image<double>& target) {
    checkSameShape(rendered, target);
    double sum = 0;
    for (size_t i = 0; i < target.pixels.size(); ++i) sum += std::abs(rendered.pixels[i] - target.pixels[i]);
    return sum / static_cast<double>(target.pixels.size());
}

double ssim(const Image<double>& rendered, const Image<double>& target, SsimArea area) {
    const Moments m = moments(rendered, target);
    double mean = 0;
    forEachWeighted(rendered, area, [&](size_t i, double weight) { mean += weight * similarity(m, i).value; });
    return mean;
}

Image<double> ssimGradient(const Image<double>& rendered, const Image<double>& target, SsimArea area) {
    const Moments m = moments(rendered, target);
    Plane dX(rendered.width, rendered.height, rendered.channels), dXx = dX, dXy = dX;
    forEachWeighted(rendered, area, [&](size_t i, double weight) {
        const Similarity s = similarity(m, i);
        dX.pixels[i] = weight * s.dX;
        dXx.pixels[i] = weight * s.dXx;
        dXy.pixels[i] = weight * s.dXy;
    });
    Plane gradient = blur(dX);
    const Plane viaSquare = blur(dXx), viaProduct = blur(dXy);
    for (size_t i = 0; i < gradient.pixels.size(); ++i)
        gradient.pixels[i] += 2 * rendered.pixels[i] * viaSquare.pixels[i] + target.pixels[i] * viaProduct.pixels[i];
    return gradient;
}

Loss photometricLoss(const Image<double>& rendered, const Image<double>& target, double lambda, double l2Share) {
    const double ofPixels = (1 - l2Share) * l1(rendered, target) + l2Share * l2(rendered, target);
    Loss loss{.value = (1 - lambda) * ofPixels + lambda * (1 - ssim(rendered, target)), .gradient = ssimGradient(rendered, target)};
    const double perValue = (1 - lambda) / static_cast<double>(target.pixels.size());
    for (size_t i = 0; i < target.pixels.size(); ++i) {
        const double difference = rendered.pixels[i] - target.pixels[i];
        const double sign = difference > 0 ? 1 : difference < 0 ? -1 : 0;
        loss.gradient.pixels[i] = perValue * ((1 - l2Share) * sign + l2Share * 2 * difference) - lambda * loss.gradient.pixels[i];
    }
    return loss;
}

Loss maskedLoss(const Image<double>& rendered, const Image<double>& target, const Image<double>& mask, double lambda, double l2Share) {
    SPLAT_CHECK(mask.width == target.width && mask.height == target.height && mask.channels == 1, "mask of {}x{}x{}", mask.width,
                mask.height, mask.channels);
    const auto channels = static_cast<size_t>(target.channels);
    Plane compared = target;
    for (size_t i = 0; i < target.pixels.size(); ++i)
        compared.pixels[i] += mask.pixels[i / channels] * (rendered.pixels[i] - target.pixels[i]);
    Loss loss = photometricLoss(compared, target, lambda, l2Share);
    for (size_t i = 0; i < target.pixels.size(); ++i) loss.gradient.pixels[i] *= mask.pixels[i / channels];
    return loss;
}

double l2(const Image<double>& rendered, const Image<double>& target) {
    checkSameShape(rendered, target);
    double sum = 0;
    for (size_t i = 0; i < target.pixels.size(); ++i) {
        const double difference = rendered.pixels[i] - target.pixels[i];
        sum += difference * difference;
    }
    return sum / static_cast<double>(target.pixels.size());
}

double psnr(const Image<double>& rendered, const Image<double>& target) {
    const double error = l2(rendered, target);
    return error == 0 ? std::numeric_limits<double>::infinity() : -10 * std::log10(error);
}

}  // namespace splat::reference
