#include <algorithm>

#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/formats/ply_points.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/photographs/photographs.h>
#include "encoders.h"
#include "peak_memory.h"
#include "scratch.h"
#include "spz_samples.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

// What a file claims to hold is checked against what it can hold, against limits and against its camera before memory is taken for it.

constexpr uint64_t kMiB = uint64_t{1} << 20u;

/// The JPEG with other numbers in its frame header.
std::string claiming(std::string jpeg, uint16_t width, uint16_t height) {
    for (size_t i = 2; i + 9 < jpeg.size(); ++i) {
        if (jpeg[i] != '\xff' || (jpeg[i + 1] != '\xc0' && jpeg[i + 1] != '\xc2')) continue;
        for (const auto& [at, value] : {std::pair(i + 5, height), std::pair(i + 7, width)}) {
            jpeg[at] = static_cast<char>(value >> 8u);
            jpeg[at + 1] = static_cast<char>(value);
        }
        return jpeg;
    }
    ADD_FAILURE() << "no frame header";
    return jpeg;
}

/// One black picture of grey values of one bit.
std::string blackPng(int width, int height, bool interlaced = false) {
    RawPng raw{.width = width, .height = height, .depth = 1, .colourType = PNG_COLOR_TYPE_GRAY, .interlaced = interlaced};
    raw.rows.assign(static_cast<size_t>(height), std::vector<uint8_t>(static_cast<size_t>(width + 7) / 8));
    return encodePng(raw);
}

/// A dataset of one picture whose camera has this size.
struct OneFile {
    Scratch scratch;
    Dataset dataset;

    OneFile(const std::string& content, int width, int height) {
        const Camera camera{.width = width, .height = height, .fx = 1.0 * width, .fy = 1.0 * width, .cx = 0.5 * width, .cy = 0.5 * height};
        dataset.path = scratch.path();
        dataset.views.push_back({.name = "a", .image = scratch.write("a", content), .camera = camera, .distortion = {}});
    }
    Photograph load(const PhotographOptions& options = {}) const { return loadPhotographs(dataset, {0}, options).at(0); }
};

TEST(ClaimedSizes, AJpegHoldsAtMost8BlocksAByte) {
    for (const bool progressive : {false, true}) {
        const std::string forged = claiming(encodeJpeg(testImage(8, 8, 3), 80, progressive), 16384, 16384);
        EXPECT_LT(forged.size(), 1000u);
        const OneFile file(forged, 16384, 16384);
        EXPECT_LT(peakOf([&] {
                      expectInputError([&] { file.load({.megapixels = 4096}); }, {"cannot hold 16384x16384", "expected at least"});
                  }),
                  8 * kMiB);
    }
    // The plainest picture there is has three blocks of a few bits.
    Image8 black(512, 512, 3);
    EXPECT_NO_THROW(OneFile(encodeJpeg(black, 1), 512, 512).load());
    EXPECT_NO_THROW(OneFile(encodeJpeg(black, 1, true), 512, 512).load());
}

TEST(ClaimedSizes, NoPictureHasMorePixelsThanTheSettingSays) {
    const OneFile file(blackPng(1100, 1000), 1100, 1000);
    EXPECT_NO_THROW(file.load({.megapixels = 2}));
    expectInputError([&] { file.load({.megapixels = 1}); }, {file.dataset.views[0].image.string(), "1100x1000", "at most 1 million"});
    EXPECT_NO_THROW(OneFile(blackPng(1000, 1000), 1000, 1000).load({.megapixels = 1}));
    const OneFile large(blackPng(16384, 16384), 16384, 16384);
    EXPECT_LT(peakOf([&] { expectInputError([&] { large.load(); }, {"16384x16384", "at most 256 million", "max_megapixels"}); }), 8 * kMiB);
}

TEST(ClaimedSizes, APictureIsAtMost16TimesAsLargeAsItsCamera) {
    EXPECT_EQ(OneFile(blackPng(64, 64), 4, 4).load().image.width, 64);
    // What the files hold behind their headers is never looked at.
    const std::string wide = blackPng(65, 64), high = blackPng(64, 65);
    expectInputError([&] { OneFile(wide.substr(0, wide.size() - 20), 4, 4).load(); }, {"65x64", "16 times", "4x4"});
    expectInputError([&] { OneFile(high.substr(0, high.size() - 20), 4, 4).load(); }, {"64x65", "16 times", "4x4"});
}

TEST(ClaimedSizes, RowsShrinkWhileTheyAreRead) {
    constexpr int kSide = 3000;
    const Image8 white = [] {
        Image8 image(kSide, kSide, 3);
        std::ranges::fill(image.pixels, uint8_t{255});
        return image;
    }();
    const OneFile png(blackPng(kSide, kSide), kSide, kSide), jpeg(encodeJpeg(white), kSide, kSide);
    for (const auto& [file, value] : {std::pair(&png, 0), std::pair(&jpeg, 255)}) {
        Photograph photograph;
        EXPECT_LT(peakOf([&] { photograph = file->load({.downscale = 8}); }), 6 * kMiB) << value;  // whole: 26 MiB, as floats 103
        EXPECT_EQ(photograph.image.width, 375);
        EXPECT_TRUE(std::ranges::all_of(photograph.image.pixels, [&](uint8_t p) { return p == value; }));
    }
}

TEST(ClaimedSizes, PicturesThatCannotComeByRowsAreReadAllTheSame) {
    const Image8 image = testImage(33, 18, 3);
    Image8 flat(40, 24, 3);
    std::ranges::fill(flat.pixels, uint8_t{90});
    EXPECT_EQ(OneFile(encodeWebp(image), 33, 18).load().image.pixels, image.pixels);
    EXPECT_EQ(OneFile(blackPng(33, 18, true), 33, 18).load().image.pixels, std::vector<uint8_t>(33 * 18 * 3, 0));
    EXPECT_EQ(OneFile(encodeJpeg(flat, 95, true), 40, 24).load().image.pixels, flat.pixels);
    const Scratch scratch;
    EXPECT_GT(readImageHeader(scratch.write("a", blackPng(33, 18, true))).decoderBytes, 33u * 18 * 3 - 1);
    EXPECT_EQ(readImageHeader(scratch.write("a", blackPng(33, 18, false))).decoderBytes, 0u);
    EXPECT_GT(readImageHeader(scratch.write("a", encodeJpeg(flat, 95, true))).decoderBytes, 40u * 24 * 2);
    EXPECT_EQ(readImageHeader(scratch.write("a", encodeJpeg(flat))).decoderBytes, 0u);
    EXPECT_GT(readImageHeader(scratch.write("a", encodeWebp(image))).decoderBytes, 33u * 18 * 4);
}

TEST(ClaimedSizes, AJpegOfMoreScansThanEncodersWriteIsRefused) {
    EXPECT_EQ(OneFile(scannedJpeg(64, 48, 499), 64, 48).load().image.width, 64);
    const std::string refused = "more than 500 scans";
    expectInputError([&] { OneFile(scannedJpeg(64, 48, 500), 64, 48).load(); }, {refused});
    const std::string bomb = scannedJpeg(64, 48, 100'000);
    EXPECT_EQ(readImageHeader(OneFile(bomb, 64, 48).dataset.views[0].image).size.width, 64);
    expectInputError([&] { OneFile(bomb, 64, 48).load(); }, {refused});
}

/// 0.3 million blocks, each visited by every scan.
TEST(ClaimedSizes, AJpegMayHaveFewerScansTheLargerItIs) {
    expectInputError([&] { OneFile(scannedJpeg(8192, 3000, 500), 8192, 3000).load({.downscale = 8}); }, {"more than 174 scans"});
}

struct Enough : std::runtime_error {
    Enough() : std::runtime_error("enough") {}
};

/// A few seconds of decoding, in which the callback is asked again and again.
TEST(ClaimedSizes, LoadingCanBeStoppedWithinAnImage) {
    const std::string jpeg = scannedJpeg(8192, 3000, 170);
    const OneFile file(jpeg, 8192, 3000);
    std::vector<size_t> done;
    const auto stop = [&](size_t loaded, size_t) {
        done.push_back(loaded);
        if (done.size() == 3) throw Enough();
    };
    EXPECT_THROW(loadPhotographs(file.dataset, {0}, {.downscale = 8}, stop), Enough);
    EXPECT_EQ(done, std::vector<size_t>(3, 0));
    for (const std::string& content : {jpeg, blackPng(64, 64), encodeWebp(testImage(64, 64, 3))}) {
        const OneFile any(content, 64, 64);
        const fs::path path = any.dataset.views[0].image;
        EXPECT_THROW(readImageRows(
                         path, readImageHeader(path), [](int, auto) {}, [] { throw Enough(); }),
                     Enough);
    }
}

TEST(ClaimedSizes, AWebpOfAFewBytesIsNoLargePicture) {
    EXPECT_EQ(OneFile(plainWebp(500, 400), 500, 400).load().image.pixels, std::vector<uint8_t>(500 * 400 * 3, 0));
    EXPECT_EQ(readImageHeader(OneFile(plainWebp(8192, 4096), 1, 1).dataset.views[0].image).leastBytes, 0u);
    const OneFile bomb(plainWebp(16383, 15600), 16383, 15600);  // within the limit of 256 million; the decoder takes 1.75 GB
    EXPECT_LT(peakOf([&] {
                  expectInputError([&] { bomb.load(); }, {"28 bytes cannot hold 16383x15600 pixels", "at least 62396"});
              }),
              8 * kMiB);
}

TEST(ClaimedSizes, ABudgetTooSmallForAnyPictureLoadsThemOneByOne) {
    const Scratch scratch;
    Dataset dataset;
    for (int i = 0; i < 12; ++i) {
        const std::string name = fmt::format("{:02}.png", i);
        dataset.views.push_back({.name = name,
                                 .image = scratch.path() / name,
                                 .camera = {.width = 9, .height = 7, .fx = 9, .fy = 9, .cx = 4, .cy = 3},
                                 .distortion = {}});
        writePng(scratch.path() / name, testImage(9, 7, 3));
    }
    const auto photographs = loadPhotographs(dataset, viewsOfSplit(dataset, Split::all, 0), {.loadingBytes = 1});
    for (const Photograph& photograph : photographs) EXPECT_EQ(photograph.image.pixels, testImage(9, 7, 3).pixels);
}

/// SPZ of equal splats, which compress by a thousand.
std::string equalSplats(uint32_t version, uint32_t count) {
    SpzFile file{.version = version, .count = count};
    for (const size_t each : {9u, 1u, 3u, 3u, version < 3 ? 3u : 4u}) file.blocks.emplace_back(each * count, '\x40');
    file.blocks.emplace_back();
    return file.content();
}

TEST(ClaimedSizes, SpzThatUnpacksTo64TimesItsBytesIsRefusedBeforeItDoes) {
    const Scratch scratch;
    for (const uint32_t version : {2u, 3u, 4u}) {
        EXPECT_EQ(readSplats(scratch.write("a.spz", equalSplats(version, 50'000))).count(), 50'000u) << "a mebibyte is harmless";
        const fs::path bomb = scratch.write("b.spz", equalSplats(version, 1'000'000));
        EXPECT_LT(fs::file_size(bomb), 100'000u);
        EXPECT_LT(peakOf([&] {
                      expectInputError([&] { readSplats(bomb); }, {"number of splats is 1000000", "expected at most"});
                  }),
                  8 * kMiB);
    }
}

TEST(ClaimedSizes, APlyWithoutThePropertiesOfSplatsTakesNoMemoryForThem) {
    const Scratch scratch;
    const std::string rows(2'000'000, '\0');
    const fs::path path =
        scratch.write("a.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 2000000\nproperty uchar x\nend_header\n" + rows);
    EXPECT_LT(peakOf([&] { expectInputError([&] { readPly(path); }, {"property y", "missing"}); }), 8 * kMiB);        // 112 MiB of splats
    EXPECT_LT(peakOf([&] { expectInputError([&] { readPointsPly(path); }, {"property y", "missing"}); }), 8 * kMiB);  // 30 MiB of points
}

TEST(ClaimedSizes, TextRowsOfAPlyAreReadInBlocks) {
    constexpr size_t kMore = 1500, kRows = 4000;  // 12 KB a row as numbers, of which 32 MiB are in memory at a time
    std::string text =
        fmt::format("ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n", kRows);
    std::string zeros;
    for (size_t i = 0; i < kMore; ++i) {
        text += fmt::format("property float more_{}\n", i);
        zeros += " 0";
    }
    text += "end_header\n";
    for (size_t row = 0; row < kRows; ++row) text += fmt::format("{} 0 -{}{}\n", row, row, zeros);
    const Scratch scratch;
    const auto points = readPointsPly(scratch.write("a.ply", text));
    ASSERT_EQ(points.size(), kRows);
    for (size_t row = 0; row < kRows; ++row) {
        const auto value = static_cast<float>(row);
        ASSERT_EQ(points[row].position, glm::vec3(value, 0, -value)) << row;
    }
    const size_t last = text.rfind(" 0\n");
    expectInputError([&] { readPointsPly(scratch.write("a.ply", text.substr(0, last) + " x\n")); }, {"more_1499", "row 3999", "'x'"});
}

}  // namespace
}  // namespace splat
