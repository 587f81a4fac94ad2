#include "reference/losses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>

namespace splat::reference {
namespace {

Image<double> noise(int width, int height, uint64_t seed, int channels = 3) {
    Rng rng(seed);
    Image<double> image(width, height, channels);
    for (double& value : image.pixels) value = rng.uniform();
    return image;
}

Image<double> constant(int width, int height, double value) {
    Image<double> image(width, height, 1);
    for (double& v : image.pixels) v = value;
    return image;
}

template <class Value>
double largestGradientError(Image<double> image, const Image<double>& gradient, const Value& value) {
    constexpr double kStep = 1e-6;
    double worst = 0;
    for (size_t i = 0; i < image.pixels.size(); ++i) {
        const double kept = image.pixels[i];
        image.pixels[i] = kept + kStep;
        const double up = value(image);
        image.pixels[i] = kept - kStep;
        const double down = value(image);
        image.pixels[i] = kept;
        worst = std::max(worst, std::abs((up - down) / (2 * kStep) - gradient.pixels[i]));
    }
    return worst;
}

TEST(ReferenceSsim, IdenticalImagesScoreOne) {
    const Image<double> image = noise(23, 17, 1);
    EXPECT_NEAR(ssim(image, image, SsimArea::all), 1, 1e-12);
    EXPECT_NEAR(ssim(image, image, SsimArea::valid), 1, 1e-12);
}

// Windows inside a constant image see no variance, so only the luminance term is left: (2ab + C1) / (a² + b² + C1).
TEST(ReferenceSsim, AgreesWithAHandExampleAwayFromTheBorder) {
    EXPECT_NEAR(ssim(constant(15, 12, 0.4), constant(15, 12, 0.7), SsimArea::valid), (0.56 + 1e-4) / (0.65 + 1e-4), 1e-12);
}

// One pixel, the rest of the window zero: with w the window's centre weight, the means are wx and wy, the variances w(1 - w)x² and so on.
TEST(ReferenceSsim, AgreesWithAHandExampleThatIsAllBorder) {
    double sum = 0;
    for (int k = -5; k <= 5; ++k) sum += std::exp(-k * k / 4.5);
    const double w = 1 / (sum * sum), x = 0.4, y = 0.7, c1 = 1e-4, c2 = 9e-4;
    const double luminance = (2 * w * w * x * y + c1) / (w * w * (x * x + y * y) + c1);
    const double structure = (2 * w * (1 - w) * x * y + c2) / (w * (1 - w) * (x * x + y * y) + c2);
    EXPECT_NEAR(ssim(constant(1, 1, x), constant(1, 1, y)), luminance * structure, 1e-12);
    EXPECT_EQ(ssim(constant(1, 1, x), constant(1, 1, y), SsimArea::valid), ssim(constant(1, 1, x), constant(1, 1, y)));
}

TEST(ReferenceSsim, IsSymmetricAndAveragesItsChannels) {
    const Image<double> a = noise(14, 13, 1), b = noise(14, 13, 2);
    EXPECT_NEAR(ssim(a, b), ssim(b, a), 1e-14);
    double mean = 0;
    for (size_t c = 0; c < 3; ++c) {
        Image<double> x(14, 13, 1), y = x;
        for (size_t i = 0; i < x.pixels.size(); ++i) x.pixels[i] = a.pixels[3 * i + c], y.pixels[i] = b.pixels[3 * i + c];
        mean += ssim(x, y) / 3;
    }
    EXPECT_NEAR(ssim(a, b), mean, 1e-14);
}

TEST(ReferenceSsim, GradientAgreesWithFiniteDifferences) {
    const Image<double> rendered = noise(14, 13, 1), target = noise(14, 13, 2);
    for (const SsimArea area : {SsimArea::all, SsimArea::valid})
        EXPECT_LT(largestGradientError(rendered, ssimGradient(rendered, target, area),
                                       [&](const Image<double>& image) { return ssim(image, target, area); }),
                  1e-9);
}

TEST(ReferenceLoss, GradientAgreesWithFiniteDifferences) {
    const Image<double> rendered = noise(14, 13, 1), target = noise(14, 13, 2);
    const Loss loss = photometricLoss(rendered, target, 0.2);
    EXPECT_NEAR(loss.value, 0.8 * l1(rendered, target) + 0.2 * (1 - ssim(rendered, target)), 1e-14);
    EXPECT_LT(largestGradientError(rendered, loss.gradient,
                                   [&](const Image<double>& image) { return photometricLoss(image, target, 0.2).value; }),
              1e-9);
}

TEST(ReferenceLoss, GradientWithL2AgreesWithFiniteDifferences) {
    const Image<double> rendered = noise(14, 13, 1), target = noise(14, 13, 2);
    const Loss loss = photometricLoss(rendered, target, 0.2, 0.7);
    EXPECT_NEAR(loss.value, 0.8 * (0.3 * l1(rendered, target) + 0.7 * l2(rendered, target)) + 0.2 * (1 - ssim(rendered, target)), 1e-14);
    const auto value = [&](const Image<double>& image) { return photometricLoss(image, target, 0.2, 0.7).value; };
    EXPECT_LT(largestGradientError(rendered, loss.gradient, value), 1e-9);
}

TEST(ReferenceLoss, OfEqualImagesIsZeroAndFlat) {
    const Image<double> image = noise(14, 13, 1);
    const Loss loss = photometricLoss(image, image, 0.2);
    EXPECT_NEAR(loss.value, 0, 1e-14);
    for (const double value : loss.gradient.pixels) EXPECT_NEAR(value, 0, 1e-14);
}

TEST(ReferenceLoss, MaskedGradientAgreesWithFiniteDifferences) {
    const Image<double> rendered = noise(14, 13, 1), target = noise(14, 13, 2);
    Image<double> mask = noise(14, 13, 3, 1);
    for (size_t i = 0; i < 40; ++i) mask.pixels[i] = static_cast<double>(i % 2);
    const auto value = [&](const Image<double>& image) { return maskedLoss(image, target, mask, 0.2).value; };
    EXPECT_LT(largestGradientError(rendered, maskedLoss(rendered, target, mask, 0.2).gradient, value), 1e-9);
}

TEST(ReferenceLoss, MaskedPixelsDoNotMatterAndOthersDo) {
    const Image<double> target = noise(14, 13, 2), ones = constant(14, 13, 1);
    Image<double> rendered = noise(14, 13, 1);
    EXPECT_NEAR(maskedLoss(rendered, target, ones, 0.2).value, photometricLoss(rendered, target, 0.2).value, 1e-14);
    Image<double> mask = ones;
    mask.pixels[30] = 0;
    const double before = maskedLoss(rendered, target, mask, 0.2).value;
    rendered.pixels[3 * 30 + 1] += 5;
    EXPECT_EQ(maskedLoss(rendered, target, mask, 0.2).value, before);
    rendered.pixels[3 * 31 + 1] += 5;
    EXPECT_GT(maskedLoss(rendered, target, mask, 0.2).value, before);
}

TEST(ReferenceL1, AveragesOverPixelsAndChannels) {
    Image<double> a(2, 1, 3), b(2, 1, 3);
    a.pixels = {0, 0.5, 1, 0, 0, 0};
    b.pixels = {0.6, 0.5, 0.4, 0, 0, 0};
    EXPECT_NEAR(l1(a, b), 0.2, 1e-15);
}

TEST(ReferencePsnr, IsTwentyForAMeanSquareErrorOfOneHundredth) {
    EXPECT_NEAR(psnr(constant(4, 3, 0.5), constant(4, 3, 0.6)), 20, 1e-9);
    EXPECT_EQ(psnr(constant(4, 3, 0.5), constant(4, 3, 0.5)), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace splat::reference
