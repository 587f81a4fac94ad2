// A single picture as a dataset, turned as its EXIF says.
#include <splatwright/scene/datasets/picture.h>

#include <algorithm>

#include <splatwright/scene/images/orientation.h>
#include <splatwright/scene/photographs/photographs.h>
#include "encoders.h"
#include "exif_samples.h"
#include "peak_memory.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// Each number is a pixel.
struct Shown {
    uint32_t orientation;
    std::vector<std::string> rows;
};

// Of 123 above 456, by hand from the meaning of the values in Exif 2.32: the side of the scene at which the first row and the first column are.
const Shown kShown[] = {{1, {"123", "456"}},       // top, left
                        {2, {"321", "654"}},       // top, right
                        {3, {"654", "321"}},       // bottom, right
                        {4, {"456", "123"}},       // bottom, left
                        {5, {"14", "25", "36"}},   // left, top
                        {6, {"41", "52", "63"}},   // right, top
                        {7, {"63", "52", "41"}},   // right, bottom
                        {8, {"36", "25", "14"}}};  // left, bottom

/// Each number as a square of this side, with a colour of its own.
Image8 imageOf(const std::vector<std::string>& rows, int channels, int side = 1) {
    Image8 image(side * static_cast<int>(rows[0].size()), side * static_cast<int>(rows.size()), channels);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const int number = rows[static_cast<size_t>(y / side)][static_cast<size_t>(x / side)] - '0';
            for (int c = 0; c < channels; ++c) image.at(x, y)[static_cast<size_t>(c)] = static_cast<uint8_t>(20 * number + 10 * c);
        }
    return image;
}

struct PictureDataset : testing::Test {
    Photograph load(const std::string& content, const PhotographOptions& options = {}) const {
        const Dataset dataset = pictureDataset(scratch.write("picture", content));
        return loadPhotographs(dataset, {0}, options).at(0);
    }
    Scratch scratch;
};

TEST_F(PictureDataset, IsShownInEveryOrientation) {
    for (const auto& [orientation, rows] : kShown) {
        for (const int channels : {3, 4}) {
            const Image8 expected = imageOf(rows, channels), stored = imageOf(kShown[0].rows, channels);
            const Photograph found = load(pngWithExif(encodePng(rawPng(stored)), exifOf(orientation)), {.keepAlpha = true});
            ASSERT_EQ(found.image.width, expected.width) << orientation;
            EXPECT_EQ(std::pair(found.camera.width, found.camera.height), std::pair(expected.width, expected.height));
            for (int y = 0; y < expected.height; ++y)
                for (int x = 0; x < expected.width; ++x) {
                    EXPECT_TRUE(std::ranges::equal(found.image.at(x, y), expected.at(x, y).first(3))) << orientation;
                    if (channels == 4) {
                        EXPECT_EQ(found.coverage.at(x, y)[0], expected.at(x, y)[3]) << orientation;
                    }
                }
        }
    }
}

TEST_F(PictureDataset, ItsSizeIsTheShownOne) {
    for (const auto& [orientation, rows] : kShown) {
        const auto path = scratch.write("a.webp", webpWithExif(encodeWebp(imageOf(kShown[0].rows, 3)), exifOf(orientation), 3, 2));
        const Camera camera = pictureDataset(path).views.at(0).camera;
        const ImageSize size = shownSize({3, 2}, static_cast<Orientation>(orientation));
        EXPECT_EQ(camera.width, static_cast<int>(rows[0].size())) << orientation;
        EXPECT_EQ(camera.height, static_cast<int>(rows.size())) << orientation;
        EXPECT_EQ(size, (ImageSize{camera.width, camera.height})) << orientation;
    }
}

TEST_F(PictureDataset, JpegIsTurnedWhetherItIsProgressiveOrNot) {
    constexpr int kSide = 16;  // blocks with subsampled chroma: no colour bleeds into another
    for (const auto& [orientation, rows] : kShown) {
        for (const bool progressive : {false, true}) {
            const std::string file = encodeJpeg(imageOf(kShown[0].rows, 3, kSide), 100, progressive);
            const Image8 expected = imageOf(rows, 3, kSide),
                         found = load(jpegWithExif(file, exifOf(orientation, std::endian::little))).image;
            ASSERT_EQ(std::pair(found.width, found.height), std::pair(expected.width, expected.height)) << orientation;
            for (int y = kSide / 2; y < found.height; y += kSide)
                for (int x = kSide / 2; x < found.width; x += kSide)
                    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(found.at(x, y)[c], expected.at(x, y)[c], 3) << orientation;
        }
    }
}

TEST_F(PictureDataset, IsShrunkAfterItIsTurned) {
    for (const auto& [orientation, rows] : kShown) {
        const Image8 stored = imageOf(kShown[0].rows, 3, 2), expected = imageOf(rows, 3);
        const Photograph found = load(pngWithExif(encodePng(rawPng(stored)), exifOf(orientation)), {.downscale = 2});
        EXPECT_EQ(found.image.pixels, expected.pixels) << orientation;
    }
}

TEST_F(PictureDataset, ItsMaskIsOfTheShownPixels) {
    const Image8 stored = imageOf(kShown[0].rows, 3), mask = imageOf(kShown[5].rows, 3);
    const Dataset dataset = pictureDataset(scratch.write("images/a.png", pngWithExif(encodePng(rawPng(stored)), exifOf(6))));
    scratch.write("masks/a.png", encodePng(rawPng(mask)));
    const Photograph found = loadPhotographs(dataset, {0}, {}).at(0);
    EXPECT_EQ(found.image.pixels, mask.pixels);
    for (size_t i = 0; i < found.coverage.pixels.size(); ++i) EXPECT_EQ(found.coverage.pixels[i], mask.pixels[3 * i]) << i;
    scratch.write("masks/a.png", encodePng(rawPng(stored)));
    expectInputError([&] { loadPhotographs(dataset, {0}, {}); }, {"masks", "3x2", "2x3"});
}

TEST_F(PictureDataset, ADamagedBlockIsIgnored) {
    const Image8 stored = imageOf(kShown[0].rows, 3);
    const std::string block = exifOf(6);
    for (size_t length = 0; length < kBytesToOrientation; ++length)
        EXPECT_EQ(load(pngWithExif(encodePng(rawPng(stored)), block.substr(0, length))).image.pixels, stored.pixels) << length;
    for (const uint32_t value : {0u, 9u})
        EXPECT_EQ(load(pngWithExif(encodePng(rawPng(stored)), exifOf(value))).image.pixels, stored.pixels);
}

TEST_F(PictureDataset, AFileThatIsNoPictureIsAnError) {
    expectEveryPrefixToFail(scratch, "cut.png", encodePng(rawPng(imageOf(kShown[0].rows, 3))),
                            [](const fs::path& path) { loadPhotographs(pictureDataset(path), {0}, {}); });
}

// Cameras with poses are those of stored pixels.
TEST_F(PictureDataset, PhotographsWithPosesAreNotTurned) {
    const Image8 stored = imageOf(kShown[0].rows, 3);
    scratch.write("images/a.png", pngWithExif(encodePng(rawPng(stored)), exifOf(6)));
    scratch.write("transforms.json", R"({"fl_x": 3, "frames": [{"file_path": "images/a.png",
        "transform_matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 3], [0, 0, 0, 1]]}]})");
    const Dataset dataset = loadDataset(scratch.path());
    EXPECT_EQ(dataset.views.at(0).orientation, Orientation::stored);
    EXPECT_EQ(dataset.views.at(0).camera.width, 3);
    EXPECT_EQ(loadPhotographs(dataset, {0}, {}).at(0).image.pixels, stored.pixels);
    EXPECT_EQ(readImage(dataset.views.at(0).image).pixels, stored.pixels);
}

// Turning takes the whole stored picture, which the budget of loading counts: two at a time would take twice as much.
TEST_F(PictureDataset, TurningIsPartOfTheMemoryForLoading) {
    constexpr int kSide = 3400;  // malloc gives memory of more than 32 MiB back at once
    constexpr uint64_t kStoredBytes = uint64_t{3} * kSide * kSide;
    const Image8 black(kSide, kSide, 3);
    Dataset dataset = pictureDataset(scratch.write("a.png", pngWithExif(encodePng(rawPng(black)), exifOf(6))));
    dataset.views.resize(4, dataset.views[0]);
    const auto load = [&] { loadPhotographs(dataset, {0, 1, 2, 3}, {.downscale = 8, .loadingBytes = kStoredBytes * 3 / 2}); };
    EXPECT_LT(peakOf(load), kStoredBytes * 3 / 2);
}

}  // namespace
}  // namespace splat
