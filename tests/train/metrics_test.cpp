#include <splatwright/train/evaluate/metrics.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/losses.h"

namespace splat {
namespace {

Image8 noise(int width, int height, uint64_t seed, int channels = 3) {
    Rng rng(seed);
    Image8 image(width, height, channels);
    for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(256 * rng.uniform());
    return image;
}

Image8 constant(int width, int height, uint8_t value) {
    Image8 image(width, height, 3);
    std::fill(image.pixels.begin(), image.pixels.end(), value);
    return image;
}

Image<double> asDouble(const Image8& image) {
    Image<double> out(image.width, image.height, image.channels);
    for (size_t i = 0; i < out.pixels.size(); ++i) out.pixels[i] = image.pixels[i] / 255.0;
    return out;
}

TEST(Quantised, ClampsAndRoundsToTheNearestStep) {
    ImageF image(4, 2, 1);
    image.pixels = {-1, 0, 0.4F / 255, 0.6F / 255, 1, 1e9F, std::numeric_limits<float>::quiet_NaN(), 0.5F};
    EXPECT_EQ(quantised(image).pixels, (std::vector<uint8_t>{0, 0, 0, 1, 255, 255, 0, 128}));
}

TEST(Psnr, OfOneStepEverywhereIs48Decibels) { EXPECT_NEAR(psnr(constant(7, 5, 100), constant(7, 5, 101)), 20 * std::log10(255.0), 1e-12); }

// One value of 2 * 1 * 3 is off by 51: mean square 51² / 6, and 10 log10(255² * 6 / 51²) = 10 log10(150).
TEST(Psnr, AgreesWithAHandExample) {
    Image8 off = constant(2, 1, 60);
    off.pixels[4] = 111;
    EXPECT_NEAR(psnr(off, constant(2, 1, 60)), 10 * std::log10(150.0), 1e-12);
}

TEST(Psnr, OfEqualImagesIsInfinite) { EXPECT_EQ(psnr(noise(9, 9, 1), noise(9, 9, 1)), std::numeric_limits<double>::infinity()); }

TEST(Psnr, ImagesOfDifferentSizeAreRefused) { EXPECT_THROW(psnr(constant(3, 2, 0), constant(2, 3, 0)), std::logic_error); }

TEST(Ssim, OfEqualImagesIsOne) {
    EXPECT_NEAR(ssim(noise(40, 90, 1), noise(40, 90, 1)), 1, 1e-12);
    EXPECT_NEAR(ssim(noise(4, 9, 1), noise(4, 9, 1)), 1, 1e-12);
}

// Constant images have no variance: only the luminance term (2ab + C1) / (a² + b² + C1) is left, with C1 = (0.01 * 255)².
TEST(Ssim, AgreesWithAHandExample) {
    const double c1 = 2.55 * 2.55;
    EXPECT_NEAR(ssim(constant(20, 11, 100), constant(20, 11, 150)), (2 * 100 * 150 + c1) / (100 * 100 + 150 * 150 + c1), 1e-12);
}

class SsimAgreement : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(SsimAgreement, IsTheReferences) {
    const auto [width, height] = GetParam();
    const Image8 render = noise(width, height, 1), other = noise(width, height, 2);
    Image8 near = render;
    for (size_t i = 0; i < near.pixels.size(); i += 3) near.pixels[i] = other.pixels[i];
    const auto area = width < 11 || height < 11 ? reference::SsimArea::all : reference::SsimArea::valid;
    EXPECT_NEAR(ssim(render, near), reference::ssim(asDouble(render), asDouble(near), area), 1e-10);
    EXPECT_NEAR(ssim(render, other), reference::ssim(asDouble(render), asDouble(other), area), 1e-10);
}

// One window, one row of windows, several bands, and images too small for any window.
INSTANTIATE_TEST_SUITE_P(Sizes, SsimAgreement,
                         testing::Values(std::pair{11, 11}, std::pair{12, 11}, std::pair{11, 30}, std::pair{64, 75}, std::pair{33, 200},
                                         std::pair{10, 40}, std::pair{40, 3}, std::pair{1, 1}));

TEST(Ssim, FourChannelsAreAveragedToo) {
    const Image8 render = noise(20, 20, 1, 4), other = noise(20, 20, 2, 4);
    EXPECT_NEAR(ssim(render, other), reference::ssim(asDouble(render), asDouble(other), reference::SsimArea::valid), 1e-10);
}

}  // namespace
}  // namespace splat
