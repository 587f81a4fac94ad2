// FLIP against values of its authors' program (flip-evaluator 1.7, 67.0206 pixels per degree).
#include <splatwright/train/evaluate/flip.h>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

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
