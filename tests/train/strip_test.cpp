#include <splatwright/train/evaluate/strip.h>

#include <gtest/gtest.h>

#include <splatwright/core/bitmap_text.h>

namespace splat {
namespace {

using Pixel = std::vector<uint8_t>;

Image8 filled(int width, int height, const Pixel& pixel) {
    Image8 image(width, height, static_cast<int>(pixel.size()));
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = pixel[i % pixel.size()];
    return image;
}

Pixel pixelAt(const Image8& image, int x, int y) { return {image.at(x, y).begin(), image.at(x, y).end()}; }

const Pixel kGround{32, 32, 32};

TEST(StripRow, ShowsPhotographRenderAndErrorSideBySide) {
    const Image8 row = stripRow(filled(10, 5, {200, 100, 50}), filled(10, 5, {200, 100, 50}));
    EXPECT_EQ(row.width, 38);
    EXPECT_EQ(row.height, 5);
    EXPECT_EQ(pixelAt(row, 0, 0), (Pixel{200, 100, 50}));
    EXPECT_EQ(pixelAt(row, 9, 4), (Pixel{200, 100, 50}));
    EXPECT_EQ(pixelAt(row, 10, 0), kGround);
    EXPECT_EQ(pixelAt(row, 14, 0), (Pixel{200, 100, 50}));
    EXPECT_EQ(pixelAt(row, 24, 4), kGround);
    EXPECT_EQ(pixelAt(row, 28, 0), (Pixel{0, 0, 0}));
}

Pixel errorColour(const Pixel& photograph, const Pixel& render) {
    const Image8 row = stripRow(filled(1, 1, photograph), filled(1, 1, render));
    return pixelAt(row, row.width - 1, 0);
}

// White at a mean difference of a quarter of 255; thirds of that are red and yellow.
TEST(StripRow, ErrorRunsFromBlackOverRedAndYellowToWhite) {
    EXPECT_EQ(errorColour({0, 0, 0}, {0, 0, 0}), (Pixel{0, 0, 0}));
    EXPECT_EQ(errorColour({0, 0, 0}, {0, 0, 32}), (Pixel{128, 0, 0}));
    EXPECT_EQ(errorColour({85, 0, 0}, {0, 0, 0}), (Pixel{255, 85, 0}));
    EXPECT_EQ(errorColour({128, 10, 10}, {0, 10, 10}), (Pixel{255, 255, 2}));
    EXPECT_EQ(errorColour({255, 255, 255}, {0, 0, 0}), (Pixel{255, 255, 255}));
}

TEST(StripRow, TransparencyIsDropped) {
    const Image8 row = stripRow(filled(2, 2, {1, 2, 3, 4}), filled(2, 2, {1, 2, 3}));
    EXPECT_EQ(row.channels, 3);
    EXPECT_EQ(pixelAt(row, 1, 1), (Pixel{1, 2, 3}));
}

TEST(StripRow, ImagesOfDifferentSizeAreRefused) {
    EXPECT_THROW(stripRow(filled(2, 2, {0, 0, 0}), filled(2, 3, {0, 0, 0})), std::logic_error);
}

TEST(Stacked, RowsStandBelowOneAnotherOnADarkGround) {
    const std::vector<Image8> rows{filled(6, 2, {255, 0, 0}), filled(9, 3, {0, 255, 0})};
    const Image8 all = stacked(rows);
    EXPECT_EQ(all.width, 9);
    EXPECT_EQ(all.height, 9);
    EXPECT_EQ(pixelAt(all, 5, 1), (Pixel{255, 0, 0}));
    EXPECT_EQ(pixelAt(all, 6, 1), kGround);
    EXPECT_EQ(pixelAt(all, 0, 2), kGround);
    EXPECT_EQ(pixelAt(all, 8, 8), (Pixel{0, 255, 0}));
}

TEST(Fitted, TooWideRowsAreScaledByTheSmallestWholeFactor) {
    const std::vector<Image8> fits{filled(2400, 3, {9, 9, 9})}, tooWide{filled(2401, 3, {9, 9, 9}), filled(10, 4, {9, 9, 9})},
        far{filled(4801, 3, {9, 9, 9})};
    EXPECT_EQ(fitted(fits)[0].width, 2400);
    EXPECT_EQ(fitted(tooWide)[0].width, 1201);
    EXPECT_EQ(fitted(tooWide)[0].height, 2);
    EXPECT_EQ(fitted(tooWide)[1].width, 5);
    EXPECT_EQ(fitted(far)[0].width, 1601);
    EXPECT_EQ(pixelAt(fitted(far)[0], 1600, 0), (Pixel{9, 9, 9}));
}

TEST(Fitted, ScalingTakesMeansOfBlocks) {
    Image8 row = filled(4, 2, {0, 0, 0});
    row.at(0, 0)[0] = 100;
    row.at(1, 1)[0] = 102;
    const Image8 half = fitted({row}, 2)[0];
    EXPECT_EQ(pixelAt(half, 0, 0), (Pixel{51, 0, 0}));
    EXPECT_EQ(pixelAt(half, 1, 0), (Pixel{0, 0, 0}));
}

/// Pixels of a colour in a part of the image.
int countOf(const Image8& image, const Pixel& colour, int left, int right) {
    int count = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = left; x < right; ++x) count += pixelAt(image, x, y) == colour ? 1 : 0;
    return count;
}

constexpr int kWide = 1200;
const Pixel kLabel{230, 230, 230}, kViewName{255, 200, 90};

TEST(Captioned, KeepsTheRowBelowABand) {
    const Image8 row = filled(kWide, 50, {1, 2, 3});
    const Image8 all = captioned(row, "0001.jpg");
    ASSERT_EQ(all.width, row.width);
    ASSERT_GT(all.height, row.height);
    const auto band = static_cast<size_t>(all.height - row.height) * static_cast<size_t>(all.width) * 3;
    EXPECT_TRUE(std::equal(row.pixels.begin(), row.pixels.end(), all.pixels.begin() + static_cast<std::ptrdiff_t>(band)));
    EXPECT_EQ(countOf(all, {1, 2, 3}, 0, kWide), kWide * 50);
}

TEST(Captioned, EachColumnHasItsOwnLabelAndTheViewItsName) {
    const Image8 row = filled(kWide, 5, {1, 2, 3});
    const Image8 all = captioned(row, "0001.jpg"), unnamed = captioned(row, "");
    std::vector<int> labels;
    for (int column = 0; column < 3; ++column) labels.push_back(countOf(all, kLabel, column * kWide / 3, (column + 1) * kWide / 3));
    EXPECT_GT(labels[0], 100);
    EXPECT_GT(labels[1], 60);
    EXPECT_GT(labels[2], labels[0]);
    EXPECT_NE(labels[0], labels[1]);
    EXPECT_GT(countOf(all, kViewName, 0, kWide), 100);
    EXPECT_EQ(countOf(unnamed, kViewName, 0, kWide), 0);
    EXPECT_NE(captioned(row, "0001.jpg").pixels, captioned(row, "0002.jpg").pixels);
}

TEST(Captioned, ALabelThatDoesNotFitIsAShorterOne) {
    constexpr int kNarrow = 60;  // pixels of a column: too few for "ground truth"
    Image8 shorter(kNarrow, 20, 3);
    drawText(shorter, {.width = kNarrow}, "truth", {230, 230, 230});
    const Image8 all = captioned(filled(3 * kNarrow, 5, {1, 2, 3}), "");
    EXPECT_EQ(countOf(all, kLabel, 0, kNarrow), countOf(shorter, kLabel, 0, kNarrow));
}

TEST(Captioned, NoTextLeavesItsColumnOrTheImage) {
    for (const int width : {3, 12, 40, 64, 100, 192, 400, 1199}) {
        const Image8 row = filled(3 * width, 2, {1, 2, 3});
        const Image8 all = captioned(row, std::string(500, 'W'));
        EXPECT_EQ(countOf(all, {1, 2, 3}, 0, 3 * width), 3 * width * 2) << width;
        for (const int edge : {width - 1, 2 * width - 1}) EXPECT_EQ(countOf(all, kLabel, edge, edge + 1), 0) << width;
    }
}

}  // namespace
}  // namespace splat
