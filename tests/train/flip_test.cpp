// FLIP against values of its authors' program (flip-evaluator 1.7, 67.0206 pixels per degree), and per pixel against a reference in double precision that
// filters as the paper says, with windows of two dimensions.
#include <splatwright/train/evaluate/flip.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>
#include <glm/glm.hpp>

#include <splatwright/core/rng.h>

namespace splat {
namespace {

constexpr int kWidth = 64, kHeight = 48;

Image8 textured(int k, int shift = 0) {
    Image8 image(kWidth, kHeight, 3);
    for (int y = 0; y < kHeight; ++y) {
        for (int i = 0; i < kWidth; ++i) {
            const int x = (i + kWidth - shift) % kWidth;
            const auto pixel = image.at(i, y);
            pixel[0] = static_cast<uint8_t>((4 * x + k * y) % 256);
            pixel[1] = static_cast<uint8_t>((x * y + 37 * k) % 256);
            pixel[2] = static_cast<uint8_t>((255 - 5 * y + 3 * x * (1 + k)) % 256);
        }
    }
    return image;
}

Image8 flat(uint8_t r, uint8_t g, uint8_t b) {
    Image8 image(kWidth, kHeight, 3);
    for (size_t i = 0; i < image.pixels.size(); i += 3)
        std::ranges::copy(std::array{r, g, b}, image.pixels.begin() + static_cast<std::ptrdiff_t>(i));
    return image;
}

Image8 spotted() {
    Image8 image = flat(128, 128, 128);
    for (int y = 20; y < 23; ++y)
        for (int x = 30; x < 33; ++x) std::ranges::copy(std::array<uint8_t, 3>{250, 20, 90}, image.at(x, y).begin());
    return image;
}

double flipOf(const Image8& a, const Image8& b) { return flip(FlipImage(a), FlipImage(b)); }

/// A number per pixel, and a window of weights around one.
using Field = std::function<double(int x, int y)>;
using Window = std::function<double(double x, double y)>;

/// Positive weights add up to 1; negative ones, if there are any, to -1. The border's pixels go on outside.
double filtered(const Field& field, int x, int y, int radius, const Window& window) {
    double positive = 0, negative = 0, sum = 0, difference = 0;
    for (int j = -radius; j <= radius; ++j) {
        for (int i = -radius; i <= radius; ++i) {
            const double weight = window(i, j);
            const double value = field(std::clamp(x + i, 0, kWidth - 1), std::clamp(y + j, 0, kHeight - 1));
            (weight > 0 ? positive : negative) += weight;
            (weight > 0 ? sum : difference) += weight * value;
        }
    }
    return sum / positive - (negative < 0 ? difference / negative : 0);
}

const glm::dmat3 kXyzFromRgb = glm::transpose(
    glm::dmat3(0.412386563, 0.357591491, 0.180450492, 0.212636821, 0.715182981, 0.072180198, 0.019330620, 0.119197164, 0.950372587));

glm::dvec3 lightAt(const Image8& image, int x, int y) {
    glm::dvec3 light;
    for (int c = 0; c < 3; ++c) {
        const double v = image.at(x, y)[static_cast<size_t>(c)] / 255.0;
        light[c] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    }
    return light;
}

/// Luminance, red-green and blue-yellow.
glm::dvec3 opponentOf(const glm::dvec3& light) {
    const glm::dvec3 xyz = kXyzFromRgb * light / (kXyzFromRgb * glm::dvec3(1));
    return {116 * xyz.y - 16, 500 * (xyz.x - xyz.y), 200 * (xyz.y - xyz.z)};
}

glm::dvec3 huntLab(const glm::dvec3& light) {
    const glm::dvec3 xyz = kXyzFromRgb * light / (kXyzFromRgb * glm::dvec3(1));
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : 841.0 / 108 * t + 16.0 / 116; };
    const double lightness = 116 * f(xyz.y) - 16;
    return {lightness, lightness / 100 * 500 * (f(xyz.x) - f(xyz.y)), lightness / 100 * 200 * (f(xyz.y) - f(xyz.z))};
}

/// The paper's contrast sensitivity as weights of a window: channels have one or two Gaussians (a, b).
glm::dvec3 seen(const Image8& image, int x, int y, double pixelsPerDegree) {
    constexpr double kPi = std::numbers::pi;
    static const std::array<std::vector<glm::dvec2>, 3> kTerms{{{{1, 0.0047}}, {{1, 0.0053}}, {{34.1, 0.04}, {13.5, 0.025}}}};
    const int radius = static_cast<int>(std::ceil(3 * std::sqrt(0.04 / (2 * kPi * kPi)) * pixelsPerDegree));
    glm::dvec3 result;
    for (int c = 0; c < 3; ++c) {
        const auto window = [&](double i, double j) {
            const double squared = (i * i + j * j) / (pixelsPerDegree * pixelsPerDegree);
            double sum = 0;
            for (const glm::dvec2& t : kTerms[static_cast<size_t>(c)])
                sum += t.x * std::sqrt(kPi / t.y) * std::exp(-kPi * kPi * squared / t.y);
            return sum;
        };
        result[c] = filtered([&](int i, int j) { return opponentOf(lightAt(image, i, j))[c]; }, x, y, radius, window);
    }
    const double luminance = (result.x + 16) / 116;
    const glm::dvec3 xyz(luminance + result.y / 500, luminance, luminance - result.z / 200);
    const glm::dvec3 light = glm::inverse(kXyzFromRgb) * (xyz * (kXyzFromRgb * glm::dvec3(1)));
    return huntLab(glm::clamp(light, 0.0, 1.0));
}

/// Strength of edges and of points.
glm::dvec2 featuresAt(const Image8& image, int x, int y, double pixelsPerDegree) {
    const double deviation = 0.5 * 0.082 * pixelsPerDegree;
    const int radius = static_cast<int>(std::ceil(3 * deviation));
    const Field luminance = [&](int i, int j) { return (opponentOf(lightAt(image, i, j)).x + 16) / 116; };
    const auto bell = [&](double i, double j) { return std::exp(-(i * i + j * j) / (2 * deviation * deviation)); };
    const auto edge = [&](double i, double j) { return -i * bell(i, j); };
    const auto point = [&](double i, double j) { return (i * i / (deviation * deviation) - 1) * bell(i, j); };
    const auto strength = [&](const Window& window) {
        return std::hypot(filtered(luminance, x, y, radius, window),
                          filtered(luminance, x, y, radius, [&](double i, double j) { return window(j, i); }));
    };
    return {strength(edge), strength(point)};
}

double referenceFlip(const Image8& a, const Image8& b, int x, int y) {
    const auto hyab = [](const glm::dvec3& p, const glm::dvec3& q) { return std::abs(p.x - q.x) + std::hypot(p.y - q.y, p.z - q.z); };
    const double most = std::pow(hyab(huntLab({0, 1, 0}), huntLab({0, 0, 1})), 0.7), knee = 0.4 * most;
    const double d = std::pow(hyab(seen(a, x, y, kFlipPixelsPerDegree), seen(b, x, y, kFlipPixelsPerDegree)), 0.7);
    const double colour = d < knee ? 0.95 / knee * d : 0.95 + (d - knee) / (most - knee) * 0.05;
    const glm::dvec2 off = glm::abs(featuresAt(a, x, y, kFlipPixelsPerDegree) - featuresAt(b, x, y, kFlipPixelsPerDegree));
    return std::pow(colour, 1 - std::sqrt(std::max(off.x, off.y) / std::numbers::sqrt2));
}

/// At corners, borders and inside; a grid of pixels keeps the reference's time short.
TEST(Flip, OfEveryPixelIsThatOfTheDoubleReference) {
    Image8 noisy(kWidth, kHeight, 3);
    Rng rng(7);
    for (uint8_t& value : noisy.pixels) value = static_cast<uint8_t>(rng.below(256));
    for (const auto& [a, b] :
         {std::pair(textured(1), textured(2)), std::pair(flat(128, 128, 128), spotted()), std::pair(noisy, textured(3))}) {
        const ImageF map = flipMap(FlipImage(a), FlipImage(b));
        for (const int y : {0, 1, 20, 22, 31, kHeight - 1})
            for (const int x : {0, 2, 29, 31, 40, kWidth - 1})
                EXPECT_NEAR(map.at(x, y)[0], referenceFlip(a, b, x, y), 2e-4) << x << "," << y;
    }
}

TEST(Flip, IsThatOfItsAuthors) {
    EXPECT_NEAR(flipOf(textured(1), textured(2)), 0.714406, 2e-4);
    EXPECT_NEAR(flipOf(textured(1), textured(1, 1)), 0.342973, 2e-4);
    EXPECT_NEAR(flipOf(flat(128, 128, 128), spotted()), 0.00516744, 1e-5);
    EXPECT_NEAR(flipOf(flat(0, 0, 0), flat(255, 255, 255)), 0.967365, 1e-4);
    EXPECT_NEAR(flipOf(flat(0, 255, 0), flat(0, 0, 255)), 1, 1e-4);
}

TEST(Flip, MapsWhereTheDifferenceIs) {
    const ImageF map = flipMap(FlipImage(flat(128, 128, 128)), FlipImage(spotted()));
    EXPECT_NEAR(map.at(31, 21)[0], 0.656594F, 2e-4F);
    EXPECT_EQ(std::ranges::max_element(map.pixels) - map.pixels.begin(), static_cast<std::ptrdiff_t>(map.index(31, 21)));
    EXPECT_EQ(map.at(0, 0)[0], 0);
}

TEST(Flip, IsZeroForEqualImagesAndTheSameInBothDirections) {
    EXPECT_EQ(flipOf(textured(3), textured(3)), 0);
    EXPECT_EQ(flipOf(textured(1), textured(2)), flipOf(textured(2), textured(1)));
}

/// A spot is seen less well from far away, where it is smaller.
TEST(Flip, OfASpotFallsWithTheDistanceOfTheObserver) {
    const auto largest = [](double pixelsPerDegree) {
        return std::ranges::max(flipMap(FlipImage(flat(128, 128, 128), pixelsPerDegree), FlipImage(spotted(), pixelsPerDegree)).pixels);
    };
    EXPECT_LT(largest(120), 0.9F * largest(30));
}

}  // namespace
}  // namespace splat
