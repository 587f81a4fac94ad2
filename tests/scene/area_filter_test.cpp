#include <splatwright/scene/images/area_filter.h>

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>

namespace splat {
namespace {

ImageF randomBytes(int width, int height, int channels) {
    Rng rng(static_cast<uint64_t>(width * 1000 + height));
    ImageF image(width, height, channels);
    for (float& value : image.pixels) value = static_cast<float>(rng.below(256));
    return image;
}

/// The mean over a new pixel's area as the definition has it: each old pixel weighs as much as of it is covered.
double meanByDefinition(const ImageF& image, int newWidth, int newHeight, int x, int y, size_t channel) {
    const double sx = double(image.width) / newWidth, sy = double(image.height) / newHeight;
    double sum = 0;
    for (int j = 0; j < image.height; ++j) {
        for (int i = 0; i < image.width; ++i) {
            const double coveredX = std::min((x + 1) * sx, i + 1.0) - std::max(x * sx, double(i));
            const double coveredY = std::min((y + 1) * sy, j + 1.0) - std::max(y * sy, double(j));
            if (coveredX > 0 && coveredY > 0) sum += coveredX * coveredY * static_cast<double>(image.at(i, j)[channel]);
        }
    }
    return sum / (sx * sy);
}

TEST(AreaFilter, WholeFactorsAreMeansOfBlocks) {
    ImageF image(4, 2, 1);
    image.pixels = {0, 10, 20, 30, 40, 50, 60, 71};
    EXPECT_EQ(areaFilter(image, 2, 1).pixels, (std::vector<float>{25, 45.25f}));
    EXPECT_EQ(areaFilter(image, 1, 1).pixels, (std::vector<float>{35.125f}));
}

TEST(AreaFilter, CutPixelsCountByTheirCoveredPart) {
    ImageF image(3, 1, 1);
    image.pixels = {30, 60, 90};
    EXPECT_EQ(areaFilter(image, 2, 1).pixels, (std::vector<float>{40, 80}));  // (30 + 60/2) / 1.5, (60/2 + 90) / 1.5
}

TEST(AreaFilter, AgreesWithTheDefinitionAtEverySize) {
    const ImageF image = randomBytes(11, 7, 3);
    for (int width = 1; width <= 11; ++width) {
        for (int height = 1; height <= 7; ++height) {
            const ImageF small = areaFilter(image, width, height);
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    for (size_t c = 0; c < 3; ++c) {
                        // One rounding to float of a number below 256.
                        EXPECT_NEAR(small.at(x, y)[c], meanByDefinition(image, width, height, x, y, c), 0x1p-16);
                    }
                }
            }
        }
    }
}

TEST(AreaFilter, TheSameSizeChangesNothing) {
    const ImageF image = randomBytes(13, 9, 3);
    EXPECT_EQ(areaFilter(image, 13, 9).pixels, image.pixels);
}

TEST(AreaFilter, AConstantStaysThatConstantExactly) {
    ImageF image(101, 67, 3);
    for (float& value : image.pixels) value = 77;
    for (const float value : areaFilter(image, 50, 9).pixels) EXPECT_EQ(value, 77);
}

}  // namespace
}  // namespace splat
