#include <splatwright/scene/images/image_file.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <splatwright/scene/images/jpeg_writer.h>
#include "encoders.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

Image8 readContent(const Scratch& scratch, const std::string& content) { return readImage(scratch.write("file", content)); }

void readAndDrop(const fs::path& path) { readImage(path); }

TEST(ImageFile, PngComesBackAsWritten) {
    const Scratch scratch;
    for (const int channels : {3, 4}) {
        const Image8 image = testImage(37, 21, channels);
        writePng(scratch.path() / "out.png", image);
        const Image8 back = readImage(scratch.path() / "out.png");
        EXPECT_EQ(back.width, 37);
        EXPECT_EQ(back.height, 21);
        EXPECT_EQ(back.channels, channels);
        EXPECT_EQ(back.pixels, image.pixels);
    }
}

TEST(ImageFile, LosslessWebpComesBackAsWritten) {
    const Scratch scratch;
    for (const int channels : {3, 4}) {
        const Image8 image = testImage(19, 23, channels);
        const Image8 back = readContent(scratch, encodeWebp(image));
        EXPECT_EQ(back.channels, channels);
        // Lossless WebP keeps the colour of fully transparent pixels only on request; the test image has none.
        EXPECT_EQ(back.pixels, image.pixels);
    }
}

TEST(ImageFile, JpegComesBackWithinItsLoss) {
    const Scratch scratch;
    for (const bool progressive : {false, true}) {
        Image8 image(32, 16, 3);
        for (int y = 0; y < 16; ++y) {
            for (int x = 0; x < 32; ++x)
                std::ranges::copy(std::array<uint8_t, 3>{200, static_cast<uint8_t>(60 + 2 * x), 30}, image.at(x, y).begin());
        }
        const Image8 back = readContent(scratch, encodeJpeg(image, 98, progressive));
        ASSERT_EQ(back.pixels.size(), image.pixels.size());
        // Quality 98 quantises by steps of 1 or 2; chroma subsampling of this gentle ramp adds as much.
        for (size_t i = 0; i < image.pixels.size(); ++i) EXPECT_NEAR(back.pixels[i], image.pixels[i], 5) << i;
    }
}

double meanDifference(const Image8& a, const Image8& b) {
    double sum = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x)
            for (size_t c = 0; c < 3; ++c) sum += std::abs(a.at(x, y)[c] - b.at(x, y)[c]);
    return sum / (3.0 * a.width * a.height);
}

TEST(ImageFile, JpegInMemoryIsSmallerAndWorseAtALowerQuality) {
    const Scratch scratch;
    for (const int channels : {3, 4}) {
        const Image8 image = testImage(67, 41, channels);
        std::vector<size_t> sizes;
        std::vector<double> differences;
        for (const auto& [quality, colours] :
             {std::pair{98, JpegColours::full}, {70, JpegColours::full}, {70, JpegColours::halved}, {20, JpegColours::halved}}) {
            const std::vector<std::byte> bytes = encodedJpeg(image, quality, colours);
            const Image8 back = readContent(scratch, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
            ASSERT_EQ(back.width, 67);
            ASSERT_EQ(back.height, 41);
            ASSERT_EQ(back.channels, 3);
            sizes.push_back(bytes.size());
            differences.push_back(meanDifference(image, back));
        }
        EXPECT_LT(differences[0], 2);
        EXPECT_TRUE(std::ranges::is_sorted(differences)) << testing::PrintToString(differences);
        EXPECT_TRUE(std::ranges::is_sorted(sizes, std::greater())) << testing::PrintToString(sizes);
    }
}

TEST(ImageFile, GreyJpegBecomesThreeEqualChannels) {
    const Scratch scratch;
    Image8 grey(8, 8, 1);
    std::ranges::fill(grey.pixels, uint8_t{77});
    const Image8 back = readContent(scratch, encodeJpeg(grey));
    EXPECT_EQ(back.channels, 3);
    for (const uint8_t value : back.pixels) EXPECT_EQ(value, 77);
}

/// Inverted inks in squares of 16 pixels, so that blocks are flat.
Image8 inkSquares(const std::vector<std::array<uint8_t, 4>>& squares) {
    Image8 image(16 * static_cast<int>(squares.size()), 16, 4);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < image.width; ++x) std::ranges::copy(squares[static_cast<size_t>(x / 16)], image.at(x, y).begin());
    return image;
}

TEST(ImageFile, InksOfJpegBecomeColours) {
    const Scratch scratch;
    const std::vector<std::array<uint8_t, 4>> squares{{255, 255, 255, 255}, {255, 255, 255, 0},  {0, 255, 255, 255},
                                                      {200, 100, 50, 255},  {200, 100, 50, 127}, {10, 220, 130, 201}};
    const Image8 inks = inkSquares(squares);
    for (const bool asYcck : {false, true}) {
        for (const bool progressive : {false, true}) {
            const Image8 back = readContent(scratch, encodeJpeg(inks, 100, progressive, asYcck));
            ASSERT_EQ(back.channels, 3);
            ASSERT_EQ(back.pixels.size(), static_cast<size_t>(inks.width) * 16 * 3);
            for (int x = 8; x < inks.width; x += 16)
                for (size_t c = 0; c < 3; ++c) {
                    const auto& square = squares[static_cast<size_t>(x / 16)];
                    const int expected = square[c] * square[3] / 255;
                    EXPECT_NEAR(back.at(x, 8)[c], expected, 2) << asYcck << ", square " << x / 16 << ", channel " << c;
                }
        }
    }
}

TEST(ImageFile, InksWithoutAdobesMarkerAreReadAlike) {
    const Scratch scratch;
    const std::string file = encodeJpeg(inkSquares({{200, 100, 50, 127}, {10, 220, 130, 201}}), 100);
    const size_t marker = file.find("\xff\xee");
    ASSERT_NE(marker, std::string::npos);
    const std::string plain = file.substr(0, marker) + file.substr(marker + 16);
    EXPECT_EQ(readContent(scratch, plain).pixels, readContent(scratch, file).pixels);
    expectEveryPrefixToFail(scratch, "cut.jpg", plain, readAndDrop);
}

TEST(ImageFile, SixteenBitPngIsRoundedToEight) {
    const Scratch scratch;
    // 0x1234 / 257 = 18.13; 0x12f0 / 257 = 18.86, where dropping the low byte would give 18.
    const RawPng raw{
        .width = 1, .height = 1, .depth = 16, .colourType = PNG_COLOR_TYPE_RGB, .rows = {{0x12, 0x34, 0x12, 0xf0, 0xff, 0xff}}};
    EXPECT_EQ(readContent(scratch, encodePng(raw)).pixels, (std::vector<uint8_t>{18, 19, 255}));
    RawPng transparent = raw;
    transparent.colourType = PNG_COLOR_TYPE_RGBA;
    transparent.rows[0].insert(transparent.rows[0].end(), {0x80, 0x80});
    EXPECT_EQ(readContent(scratch, encodePng(transparent)).pixels, (std::vector<uint8_t>{18, 19, 255, 128}));
    const RawPng grey{.width = 1, .height = 1, .depth = 16, .colourType = PNG_COLOR_TYPE_GRAY_ALPHA, .rows = {{0x12, 0xf0, 0x80, 0x80}}};
    EXPECT_EQ(readContent(scratch, encodePng(grey)).pixels, (std::vector<uint8_t>{19, 19, 19, 128}));
}

TEST(ImageFile, GreyPngOfEveryDepthIsSpreadOverTheRange) {
    const Scratch scratch;
    struct Case {
        int depth;
        std::vector<uint8_t> row;
        uint8_t expected;
    };
    for (const Case& c : {Case{1, {0x80}, 255}, Case{2, {0x40}, 85}, Case{4, {0x30}, 51}, Case{8, {99}, 99}, Case{16, {99, 99}, 99}}) {
        const RawPng raw{.width = 1, .height = 1, .depth = c.depth, .colourType = PNG_COLOR_TYPE_GRAY, .rows = {c.row}};
        EXPECT_EQ(readContent(scratch, encodePng(raw)).pixels, std::vector<uint8_t>(3, c.expected)) << c.depth << " bits";
    }
}

TEST(ImageFile, GreyAlphaPngBecomesRgba) {
    const Scratch scratch;
    const RawPng raw{.width = 1, .height = 1, .depth = 8, .colourType = PNG_COLOR_TYPE_GRAY_ALPHA, .rows = {{120, 30}}};
    EXPECT_EQ(readContent(scratch, encodePng(raw)).pixels, (std::vector<uint8_t>{120, 120, 120, 30}));
}

TEST(ImageFile, PalettePngGivesItsColoursAndTransparency) {
    const Scratch scratch;
    RawPng raw{.width = 2, .height = 1, .depth = 8, .colourType = PNG_COLOR_TYPE_PALETTE, .rows = {{1, 0}}};
    raw.palette = {{10, 20, 30}, {40, 50, 60}};
    EXPECT_EQ(readContent(scratch, encodePng(raw)).pixels, (std::vector<uint8_t>{40, 50, 60, 10, 20, 30}));
    raw.paletteAlpha = {7};
    EXPECT_EQ(readContent(scratch, encodePng(raw)).pixels, (std::vector<uint8_t>{40, 50, 60, 255, 10, 20, 30, 7}));
}

TEST(ImageFile, TransparentColourOfPngBecomesAlpha) {
    const Scratch scratch;
    RawPng raw{.width = 2, .height = 1, .depth = 8, .colourType = PNG_COLOR_TYPE_RGB, .rows = {{1, 2, 3, 4, 5, 6}}};
    const png_color_16 transparent{0, 4, 5, 6, 0};
    raw.transparent = &transparent;
    EXPECT_EQ(readContent(scratch, encodePng(raw)).pixels, (std::vector<uint8_t>{1, 2, 3, 255, 4, 5, 6, 0}));
}

TEST(ImageFile, InterlacedPngReadsAsAnyOther) {
    const Scratch scratch;
    const Image8 image = testImage(13, 9, 3);
    RawPng raw = rawPng(image);
    raw.interlaced = true;
    EXPECT_EQ(readContent(scratch, encodePng(raw)).pixels, image.pixels);
}

TEST(ImageFile, SizeComesFromTheHeaderOfEachFormat) {
    const Scratch scratch;
    writePng(scratch.path() / "a.png", testImage(31, 17, 3));
    const auto jpeg = scratch.write("b.jpg", encodeJpeg(testImage(33, 18, 3)));
    const auto webp = scratch.write("c.webp", encodeWebp(testImage(35, 19, 4)));
    const auto size = [](const fs::path& path) {
        const ImageSize s = readImageHeader(path).size;
        return std::pair(s.width, s.height);
    };
    EXPECT_EQ(size(scratch.path() / "a.png"), std::pair(31, 17));
    EXPECT_EQ(size(jpeg), std::pair(33, 18));
    EXPECT_EQ(size(webp), std::pair(35, 19));
}

TEST(ImageFile, SizeIsFoundBehindMetadataLargerThanTheHead) {
    const Scratch scratch;
    const std::string plain = encodeJpeg(testImage(33, 18, 3));
    std::string segments;
    for (int i = 0; i < 3; ++i) segments += std::string("\xff\xe1\xff\xff", 4) + std::string(65533, 'x');
    const ImageSize size = readImageHeader(scratch.write("a.jpg", plain.substr(0, 2) + segments + plain.substr(2))).size;
    EXPECT_EQ(size.width, 33);
    EXPECT_EQ(size.height, 18);
}

TEST(ImageFile, EndingOfTheNameDoesNotMatter) {
    const Scratch scratch;
    const Image8 image = testImage(5, 4, 3);
    EXPECT_EQ(readImage(scratch.write("really.jpg", encodeWebp(image))).pixels, image.pixels);
}

TEST(ImageFile, BytesAfterTheEndAreHarmless) {
    const Scratch scratch;  // phones append videos and previews
    const Image8 image = testImage(9, 7, 3);
    for (const std::string& content : {encodeWebp(image), encodeJpeg(image)}) {
        EXPECT_EQ(readContent(scratch, content + std::string(5000, 'x')).pixels, readContent(scratch, content).pixels);
    }
}

TEST(ImageFile, EveryPrefixOfAPngIsRefused) {
    const Scratch scratch;
    writePng(scratch.path() / "full.png", testImage(9, 7, 4));
    std::ifstream in(scratch.path() / "full.png", std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    expectEveryPrefixToFail(scratch, "cut.png", content, readAndDrop);
}

TEST(ImageFile, EveryPrefixOfAJpegIsRefused) {
    const Scratch scratch;
    expectEveryPrefixToFail(scratch, "cut.jpg", encodeJpeg(testImage(33, 17, 3)), readAndDrop);
    expectEveryPrefixToFail(scratch, "cut.jpg", encodeJpeg(testImage(33, 17, 3), 80, true), readAndDrop);
}

TEST(ImageFile, EveryPrefixOfAWebpIsRefused) {
    const Scratch scratch;
    expectEveryPrefixToFail(scratch, "cut.webp", encodeWebp(testImage(17, 9, 4)), readAndDrop);
    expectEveryPrefixToFail(scratch, "cut.webp", encodeWebp(testImage(17, 9, 3), false), readAndDrop);
    expectEveryPrefixToFail(scratch, "cut.webp", encodeWebp(testImage(17, 9, 4), false), readAndDrop);
}

TEST(ImageFile, DamagedBytesAreAnErrorOrAPicture) {
    const Scratch scratch;
    writePng(scratch.path() / "full.png", testImage(5, 4, 4));
    std::ifstream in(scratch.path() / "full.png", std::ios::binary);
    expectDamageToBeHarmless(scratch, "bad", {std::istreambuf_iterator<char>(in), {}}, readAndDrop);
    // A WebP of a few bytes may hold a picture of any size, which takes time: hence a limit.
    expectDamageToBeHarmless(scratch, "bad", encodeWebp(testImage(5, 4, 4)), [](const fs::path& path) { readImage(path, 1); });
    expectDamageToBeHarmless(scratch, "bad", encodeJpeg(testImage(9, 8, 3)), readAndDrop);
}

TEST(ImageFile, MissingAndForeignFilesAreNamed) {
    const Scratch scratch;
    expectInputError([&] { readImage(scratch.path() / "none.png"); }, {"none.png", "cannot be read"});
    expectInputError([&] { readImageHeader(scratch.path() / "none.png"); }, {"none.png", "cannot be read"});
    expectInputError([&] { readImage(scratch.write("note.png", "just text")); }, {"note.png", "unknown picture format", "JPEG, PNG, WebP"});
    expectInputError([&] { readImage(scratch.path()); }, {scratch.path().string()});
}

TEST(ImageFile, AForgedSizeTakesNoMemory) {
    const Scratch scratch;
    writePng(scratch.path() / "small.png", testImage(4, 4, 3));
    std::ifstream in(scratch.path() / "small.png", std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(in), {}};
    const auto putBig = [&](size_t at, uint32_t value) {
        for (size_t i = 0; i < 4; ++i) content[at + i] = static_cast<char>(value >> (24 - 8 * i));
    };
    putBig(16, 16000);
    putBig(20, 16000);
    putBig(29, static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()) + 12, 17)));
    expectInputError([&] { readImage(scratch.write("forged.png", content)); }, {"forged.png", "cannot hold 16000x16000"});
}

TEST(ImageFile, UnwritablePlaceIsAnErrorAndLeavesNothing) {
    const Scratch scratch;
    EXPECT_THROW(writePng(scratch.path() / "no" / "such" / "folder.png", testImage(4, 4, 3)), Error);
    EXPECT_TRUE(fs::is_empty(scratch.path()));
}

}  // namespace
}  // namespace splat
