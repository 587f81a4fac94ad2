// Photographs of phones, cameras and scanners: HEIC, AVIF, TIFF and raw files, and colour profiles of every format.
#include <cmath>

#include <splatwright/core/rng.h>
#include <splatwright/scene/images/exif.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/images/orientation.h>
#include <splatwright/scene/images/to_srgb.h>

#include "photograph_encoders.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr std::array kHeifFormats{heif_compression_HEVC, heif_compression_AV1};

/// Squares of 16 pixels, so that codecs and demosaicing keep their middles.
Image8 squares(const std::vector<std::array<uint8_t, 3>>& colours) {
    Image8 image(16 * static_cast<int>(colours.size()), 32, 3);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) std::ranges::copy(colours[static_cast<size_t>(x / 16)], image.at(x, y).begin());
    return image;
}

const std::vector<std::array<uint8_t, 3>> kColours{{200, 40, 60}, {30, 180, 90}, {20, 60, 220}, {128, 128, 128}};

struct PhotographFormats : testing::Test {
    fs::path file(const std::string& content) const { return scratch.write("picture", content); }
    Image8 read(const std::string& content) const { return readImage(file(content)); }

    Scratch scratch;
};

/// At the middles of 16x16 squares.
void expectNear(const Image8& found, const Image8& expected, int tolerance, const std::string& what) {
    ASSERT_EQ(std::pair(found.width, found.height), std::pair(expected.width, expected.height)) << what;
    ASSERT_EQ(found.channels, 3) << what;
    for (int y = 8; y < found.height; y += 16)
        for (int x = 8; x < found.width; x += 16)
            for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(found.at(x, y)[c], expected.at(x, y)[c], tolerance) << what << ", " << x << "," << y;
}

/// Exact pixels of each format.
void expectSamePixels(const Image8& found, const Image8& expected, const std::string& what) {
    ASSERT_EQ(std::tuple(found.width, found.height, found.channels), std::tuple(expected.width, expected.height, expected.channels))
        << what;
    EXPECT_EQ(found.pixels, expected.pixels) << what;
}

TEST_F(PhotographFormats, HeicAndAvifComeBackWithinTheirConversion) {
    const Image8 image = squares(kColours);
    for (const auto format : kHeifFormats) {
        expectNear(read(encodeHeif(image, format)), image, 3, "8 bits");
        // libaom in libheif 1.15 ends in an assertion for more than 8 bits.
        if (format == heif_compression_HEVC) expectNear(read(encodeHeif(image, format, {.bits = 10})), image, 3, "10 bits");
    }
}

TEST_F(PhotographFormats, HeicAndAvifAreTurnedOnce) {
    const Image8 image = squares(kColours);
    for (const auto format : kHeifFormats) {
        for (const uint32_t orientation : {2u, 3u, 6u, 8u}) {
            // Phones write the rotation into the file and into its EXIF.
            const std::string exif = exifOf(orientation);
            const std::string content =
                encodeHeif(image, format, {.exif = exif, .orientation = static_cast<heif_orientation>(orientation)});
            const auto value = static_cast<Orientation>(orientation);
            const ImageSize size = shownSize({image.width, image.height}, value);
            Image8 expected(size.width, size.height, 3);
            for (int y = 0; y < size.height; ++y)
                copyShownRow(image, value, y,
                             std::span(expected.pixels).subspan(expected.index(0, y), static_cast<size_t>(3 * size.width)));
            EXPECT_EQ(readImageHeader(file(content)).size, size);
            EXPECT_EQ(readOrientation(file(content)), Orientation::stored);
            expectNear(read(content), expected, 3, fmt::format("orientation {}", orientation));
        }
    }
}

TEST_F(PhotographFormats, TiffOfEveryKindIsExact) {
    const Image8 image = testImage(37, 21, 3);
    RawTiff raw = rawTiff(image);
    expectSamePixels(read(encodeTiff(raw)), image, "strips");
    for (const int compression : {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS}) {
        raw.compression = static_cast<uint16_t>(compression);
        expectSamePixels(read(encodeTiff(raw)), image, fmt::format("compression {}", compression));
    }
    raw.planar = PLANARCONFIG_SEPARATE;
    expectSamePixels(read(encodeTiff(raw)), image, "planes");
    RawTiff tiled = rawTiff(image);
    tiled.tile = 16;
    expectSamePixels(read(encodeTiff(tiled)), image, "tiles");
    RawTiff wide = rawTiff(image);
    wide.bits = 16;
    wide.samples.clear();
    for (const uint8_t value : image.pixels) {
        const uint32_t near = 257U * value + 120;  // rounds to the value; cut, it would too, but 257 v - 120 would not
        const uint32_t sample = value % 2 == 0 ? std::min(near, 65535U) : 257U * value - 120;
        wide.samples.insert(wide.samples.end(), {static_cast<uint8_t>(sample), static_cast<uint8_t>(sample >> 8U)});
    }
    expectSamePixels(read(encodeTiff(wide)), image, "16 bits");
}

TEST_F(PhotographFormats, TiffOfGreyPalettesInksAndAlphaGivesColours) {
    const RawTiff grey{.width = 2, .height = 1, .channels = 1, .photometric = PHOTOMETRIC_MINISBLACK, .samples = {0, 99}};
    EXPECT_EQ(read(encodeTiff(grey)).pixels, (std::vector<uint8_t>{0, 0, 0, 99, 99, 99}));
    RawTiff palette{.width = 2, .height = 1, .channels = 1, .photometric = PHOTOMETRIC_PALETTE, .samples = {7, 3}};
    for (size_t c = 0; c < 3; ++c) {
        palette.palette[c].assign(256, 0);
        palette.palette[c][7] = static_cast<uint16_t>(257 * (10 + c));
        palette.palette[c][3] = static_cast<uint16_t>(257 * (200 + c));
    }
    EXPECT_EQ(read(encodeTiff(palette)).pixels, (std::vector<uint8_t>{10, 11, 12, 200, 201, 202}));
    const RawTiff inks{.width = 1, .height = 1, .channels = 4, .photometric = PHOTOMETRIC_SEPARATED, .samples = {0, 255, 51, 51}};
    EXPECT_EQ(read(encodeTiff(inks)).pixels, (std::vector<uint8_t>{204, 0, 163}));
    RawTiff alpha = rawTiff(Image8(1, 1, 4));
    alpha.samples = {200, 100, 50, 128};
    const Image8 found = read(encodeTiff(alpha));
    ASSERT_EQ(found.channels, 4);
    const std::array expected{200, 100, 50, 128};
    for (size_t c = 0; c < 4; ++c) EXPECT_NEAR(found.pixels[c], expected[c], 1);
}

TEST_F(PhotographFormats, TiffsOrientationIsTheFilesOwnTag) {
    RawTiff raw = rawTiff(testImage(9, 7, 3));
    for (uint16_t orientation = 1; orientation <= 8; ++orientation) {
        raw.orientation = orientation;
        const std::string content = encodeTiff(raw);
        EXPECT_EQ(static_cast<int>(readOrientation(file(content))), orientation);
        expectSamePixels(read(content), testImage(9, 7, 3), "as stored");
    }
}

TEST_F(PhotographFormats, RawFilesAreDevelopedAsBrightAndWhiteAsTheyWereTaken) {
    Dng dng(64, 48);
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) dng.setGrey(x, y, x < 32 ? 0.2 : 0.05);
    const Image8 found = read(dng.content());
    ASSERT_EQ(std::pair(found.width, found.height), std::pair(64, 48));
    for (size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(found.at(16, 24)[c], srgbValue(0.2), 1.5) << c;
        EXPECT_NEAR(found.at(48, 24)[c], srgbValue(0.05), 1.5) << c;
    }
}

TEST_F(PhotographFormats, RawFilesAreTurnedOnce) {
    Dng dng(64, 48);
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) dng.setGrey(x, y, x < 32 && y < 24 ? 0.5 : 0.05);
    dng.orientation = 6;  // shown turned clockwise: the bright corner is at the upper right
    const std::string content = dng.content();
    EXPECT_EQ(readImageHeader(file(content)).size, (ImageSize{48, 64}));
    EXPECT_EQ(readOrientation(file(content)), Orientation::stored);
    const Image8 found = read(content);
    EXPECT_GT(found.at(36, 16)[1], 150);
    for (const auto& [x, y] : {std::pair(12, 16), std::pair(12, 48), std::pair(36, 48)}) EXPECT_LT(found.at(x, y)[1], 80) << x << "," << y;
}

std::string displayP3() { return textOf(profileOfPrimaries(12)); }

/// Display P3 to sRGB, as the primaries of both say; 0 to 255.
std::array<double, 3> inSrgb(const std::array<uint8_t, 3>& p3) {
    constexpr double kMatrix[3][3]{{1.2249, -0.2247, 0}, {-0.0420, 1.0419, 0}, {-0.0197, -0.0786, 1.0979}};
    std::array<double, 3> light{}, found{};
    for (size_t c = 0; c < 3; ++c) {
        const double value = p3[c] / 255.0;
        light[c] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    for (size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (size_t k = 0; k < 3; ++k) sum += kMatrix[c][k] * light[k];
        found[c] = srgbValue(std::clamp(sum, 0.0, 1.0));
    }
    return found;
}

TEST_F(PhotographFormats, ColoursOfAProfileBecomeSrgbInEveryFormat) {
    const Image8 image = squares(kColours);
    const std::string profile = displayP3();
    ASSERT_FALSE(profile.empty());
    RawTiff tiff = rawTiff(image);
    tiff.profile = profile;
    const std::vector<std::pair<const char*, std::string>> files{
        {"JPEG", jpegWithProfile(encodeJpeg(image, 100), profile)},
        {"PNG", pngWithProfile(encodePng(rawPng(image)), profile)},
        {"WebP", webpWithProfile(encodeWebp(image), profile, image.width, image.height)},
        {"TIFF", encodeTiff(tiff)},
        {"HEIC", encodeHeif(image, heif_compression_HEVC, {.profile = profile})},
        {"AVIF", encodeHeif(image, heif_compression_AV1, {.profile = profile})},
    };
    for (const auto& [format, content] : files) {
        const Image8 found = read(content);
        for (size_t i = 0; i < kColours.size(); ++i) {
            const auto expected = inSrgb(kColours[i]);
            for (size_t c = 0; c < 3; ++c)
                EXPECT_NEAR(found.at(static_cast<int>(16 * i + 8), 16)[c], expected[c], 3.5)
                    << format << ", colour " << i << ", channel " << c;
        }
    }
}

TEST_F(PhotographFormats, AlphaStaysAndAProfileThatIsDamagedOrOfInksChangesNothing) {
    const Image8 image = testImage(9, 7, 4);
    const std::string plain = encodePng(rawPng(image));
    const Image8 found = read(pngWithProfile(plain, displayP3()));
    for (size_t i = 3; i < found.pixels.size(); i += 4) EXPECT_EQ(found.pixels[i], image.pixels[i]);
    EXPECT_NE(found.pixels, image.pixels);
    std::string damaged = displayP3();
    damaged.resize(200);
    EXPECT_EQ(read(pngWithProfile(plain, damaged)).pixels, image.pixels);
    EXPECT_EQ(read(pngWithProfile(plain, std::string(300, 'x'))).pixels, image.pixels);
    std::string inks = displayP3();
    inks.replace(16, 4, "CMYK");
    EXPECT_EQ(read(pngWithProfile(plain, inks)).pixels, image.pixels);
}

TEST_F(PhotographFormats, EveryPrefixIsRefused) {
    const auto refuse = [&](const std::string& name, const std::string& content, size_t step) {
        for (size_t length = 0; length + 1 < content.size(); length += step)
            EXPECT_THROW(read(content.substr(0, length)), InputError) << name << ", " << length << " of " << content.size();
    };
    RawTiff tiff = rawTiff(testImage(9, 7, 3));
    refuse("TIFF", encodeTiff(tiff), 1);
    tiff.compression = COMPRESSION_LZW;
    refuse("TIFF, LZW", encodeTiff(tiff), 1);
    const Image8 image = squares(kColours);
    refuse("HEIC", encodeHeif(image, heif_compression_HEVC), 23);
    refuse("AVIF", encodeHeif(image, heif_compression_AV1), 17);
    refuse("DNG", Dng(64, 48).content(), 151);
}

TEST_F(PhotographFormats, DamagedBytesAreAnErrorOrAPicture) {
    const Image8 image = squares(kColours);
    RawTiff tiled = rawTiff(testImage(20, 12, 3));
    tiled.tile = 16;
    Rng rng(5);
    for (const std::string& whole : {encodeTiff(rawTiff(testImage(9, 7, 3))), encodeTiff(tiled), encodeHeif(image, heif_compression_HEVC),
                                     encodeHeif(image, heif_compression_AV1), Dng(64, 48).content()}) {
        for (int i = 0; i < 60; ++i) {
            std::string damaged = whole;
            for (uint64_t flips = 1 + rng.below(3); flips > 0; --flips)
                damaged[rng.below(std::min<size_t>(damaged.size(), 800))] = static_cast<char>(rng.below(256));
            const fs::path path = file(damaged);
            try {
                readOrientation(path);
                readShot(path);
                readImage(path, 4);
            } catch (const InputError&) {
            } catch (const std::exception& other) {
                ADD_FAILURE() << "case " << i << ": " << other.what();
            }
        }
    }
}

TEST_F(PhotographFormats, LargerClaimsThanAFileCanHoldAreRefused) {
    std::string tiff = encodeTiff(rawTiff(testImage(9, 7, 3)));
    const size_t width = tiff.find(std::string("\0\1\3\0\1\0\0\0\x09", 9));
    ASSERT_NE(width, std::string::npos);
    tiff.replace(width + 8, 2, "\x60\xea");  // 60,000
    expectInputError([&] { read(tiff); }, {"TIFF", "cannot hold 60000x7"});
    std::string dng = Dng(64, 48).content();
    const size_t columns = dng.find(std::string("\0\1\4\0\1\0\0\0\x40", 9)), rows = dng.find(std::string("\1\1\4\0\1\0\0\0\x30", 9));
    ASSERT_NE(columns, std::string::npos);
    ASSERT_NE(rows, std::string::npos);
    dng.replace(columns + 8, 2, "\x60\xea");
    dng.replace(rows + 8, 2, "\x60\xea");
    expectInputError([&] { read(dng); }, {"picture"});
}

/// libheif allocates what a grid of tiles says, whatever the picture's header says.
TEST_F(PhotographFormats, AGridLargerThanItsPictureIsRefused) {
    std::string heic = encodeHeif(testImage(33, 31, 3), heif_compression_HEVC);  // a side that is odd makes libheif write a grid
    const size_t grid = heic.find("idat");
    ASSERT_NE(grid, std::string::npos);
    ASSERT_EQ(heic.substr(grid + 4, 8), std::string("\0\0\0\0\0\x21\0\x1f", 8));
    EXPECT_EQ(read(heic).width, 33);
    heic.replace(grid + 8, 4, "\x4e\x20\x4e\x20");  // 20,000
    expectInputError([&] { read(heic); }, {"picture", "20000x20000", "maximum"});
}

/// libheif 1.15 decodes such a picture with ever more threads.
TEST_F(PhotographFormats, AGridOfItselfIsRefused) {
    std::string heic = encodeHeif(testImage(33, 31, 3), heif_compression_HEVC);
    const size_t grid = heic.find("dimg");  // behind it the item, the number of its parts and the parts, of two bytes each
    ASSERT_NE(grid, std::string::npos);
    ASSERT_NE(heic.substr(grid + 8, 2), heic.substr(grid + 4, 2));
    heic.replace(grid + 8, 2, heic.substr(grid + 4, 2));
    expectInputError([&] { read(heic); }, {"picture", "damaged HEIF", "made of itself"});
}

TEST_F(PhotographFormats, DecodingCanBeStopped) {
    struct Stop {};
    const Image8 image = squares(kColours);
    for (const std::string& content : {encodeHeif(image, heif_compression_HEVC), encodeHeif(image, heif_compression_AV1),
                                       encodeTiff(rawTiff(image)), Dng(64, 48).content()}) {
        const fs::path path = file(content);
        const ImageHeader header = readImageHeader(path);
        EXPECT_THROW(readImageRows(
                         path, header, [](int, std::span<const uint8_t>) {}, [] { throw Stop(); }),
                     Stop);
    }
}

TEST_F(PhotographFormats, ShotsComeBackFromTheExifThatIsWritten) {
    const Shot shot{.make = "Maker",
                    .model = "Phone 7",
                    .focalLength = 4.25,
                    .focalLength35 = 26,
                    .focalPlaneResolution = 3443.946,
                    .focalPlaneUnit = 3,
                    .position = GeoPosition{-33.856784, 151.215297, -4.5}};
    writeJpeg(scratch.path() / "a.jpg", testImage(16, 16, 3), shot);
    const Shot found = readShot(scratch.path() / "a.jpg");
    EXPECT_EQ(found.make, shot.make);
    EXPECT_EQ(found.model, shot.model);
    EXPECT_NEAR(found.focalLength, shot.focalLength, 1e-6);
    EXPECT_EQ(found.focalLength35, 26u);
    EXPECT_NEAR(found.focalPlaneResolution, shot.focalPlaneResolution, 1e-3);
    EXPECT_EQ(found.focalPlaneUnit, 3u);
    ASSERT_TRUE(found.position);
    EXPECT_NEAR(found.position->latitude, shot.position->latitude, 1e-9);
    EXPECT_NEAR(found.position->longitude, shot.position->longitude, 1e-9);
    EXPECT_NEAR(found.position->altitude.value_or(0), -4.5, 1e-6);
    writeJpeg(scratch.path() / "b.jpg", testImage(16, 16, 3), {});
    EXPECT_FALSE(readShot(scratch.path() / "b.jpg").position);
    EXPECT_EQ(readShot(scratch.path() / "b.jpg").focalLength, 0);
}

TEST_F(PhotographFormats, ShotsOfPhonesAreReadFromHeic) {
    const std::string exif = textOf(exifOf(Shot{.focalLength = 5.7, .focalLength35 = 26, .position = GeoPosition{48.5, 9.25, {}}}));
    const Shot found = readShot(file(encodeHeif(squares(kColours), heif_compression_HEVC, {.exif = exif})));
    EXPECT_EQ(found.focalLength35, 26u);
    ASSERT_TRUE(found.position);
    EXPECT_NEAR(found.position->latitude, 48.5, 1e-9);
}

}  // namespace
}  // namespace splat
