#include <algorithm>
#include <cmath>

#include <splatwright/core/rng.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/images/area_filter.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/scene/photographs/undistort.h>
#include "encoders.h"
#include "lens_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

Camera cameraOf(int width, int height) {
    return {.width = width, .height = height, .fx = 20, .fy = 22, .cx = 0.5 * width, .cy = 0.4 * height};
}

/// A dataset of one picture.
struct OnePicture {
    Scratch scratch;
    Dataset dataset;

    explicit OnePicture(const Image8& image) : OnePicture(image, cameraOf(image.width, image.height)) {}
    OnePicture(const Image8& image, const Camera& camera) {
        writePng(scratch.path() / "a.png", image);
        dataset.views.push_back({.name = "a.png", .image = scratch.path() / "a.png", .camera = camera, .distortion = {}});
    }
    Photograph load(const PhotographOptions& options = {}) const { return loadPhotographs(dataset, {0}, options).at(0); }
};

TEST(Photographs, PlainOnesComeAsTheyAre) {
    const Image8 image = testImage(16, 12, 3);
    const Photograph photograph = OnePicture(image).load();
    EXPECT_EQ(photograph.name, "a.png");
    EXPECT_EQ(photograph.image.pixels, image.pixels);
    EXPECT_EQ(photograph.camera.width, 16);
    EXPECT_EQ(photograph.camera.fx, 20);
}

TEST(Photographs, AlphaIsCompositedOnTheBackgroundAsStored) {
    Image8 image(3, 1, 4);
    image.pixels = {200, 100, 0, 255, 200, 100, 0, 0, 200, 100, 0, 51};
    const OnePicture picture(image);
    EXPECT_EQ(picture.load().image.pixels, (std::vector<uint8_t>{200, 100, 0, 0, 0, 0, 40, 20, 0}));
    // 0.2 * 200 + 0.8 * 255 = 244, 0.2 * 100 + 0.8 * 127.5 = 122, 0.8 * 0
    EXPECT_EQ(picture.load({.background = {1, 0.5f, 0}}).image.pixels, (std::vector<uint8_t>{200, 100, 0, 255, 128, 0, 244, 122, 0}));
}

TEST(Photographs, AlphaIsKeptWhereItIsWanted) {
    Image8 image(3, 1, 4);
    image.pixels = {200, 100, 0, 255, 200, 100, 0, 0, 200, 100, 7, 51};
    const OnePicture picture(image);
    const Photograph kept = picture.load({.keepAlpha = true});
    EXPECT_EQ(kept.covers, Coverage::alpha);
    EXPECT_EQ(kept.coverage.pixels, (std::vector<uint8_t>{255, 0, 51}));
    EXPECT_EQ(kept.image.pixels, (std::vector<uint8_t>{200, 100, 0, 0, 0, 0, 200, 100, 7}));
    for (const glm::vec3 background : {glm::vec3(0), glm::vec3(1, 0.5f, 0.1f)})
        EXPECT_EQ(composited(kept, background).pixels, picture.load({.background = background}).image.pixels);
}

TEST(Photographs, OpaqueOnesHaveNoAlphaToKeep) {
    const Photograph photograph = OnePicture(testImage(16, 12, 3)).load({.keepAlpha = true});
    EXPECT_EQ(photograph.covers, Coverage::none);
    EXPECT_TRUE(photograph.coverage.pixels.empty());
    EXPECT_EQ(composited(photograph, glm::vec3(1)).pixels, photograph.image.pixels);
}

// A green that nobody sees must not tint the red beside it.
TEST(Photographs, ColoursOfTransparentPixelsDoNotBleedWhenShrunk) {
    Image8 image(2, 2, 4);
    image.pixels = {240, 0, 0, 255, 0, 240, 0, 0, 240, 0, 0, 255, 0, 240, 0, 0};
    const Photograph kept = OnePicture(image).load({.downscale = 2, .keepAlpha = true});
    EXPECT_EQ(kept.image.pixels, (std::vector<uint8_t>{240, 0, 0}));
    EXPECT_EQ(kept.coverage.pixels, (std::vector<uint8_t>{128}));
}

TEST(Photographs, KeptAlphaIsUndistortedAndShrunkAsTheCompositedPictureIs) {
    Image8 image(64, 48, 4);
    Rng rng(3);
    for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(rng.below(256));
    OnePicture picture(image);
    View& view = picture.dataset.views[0];
    view.camera.fx = view.camera.fy = 60;
    view.distortion = opencv({0.1, -0.02, 0.001, 0.002});
    const glm::vec3 background(1, 0.5f, 0);
    const Image8 expected = picture.load({.downscale = 2, .background = background}).image;
    const Image8 found = composited(picture.load({.downscale = 2, .keepAlpha = true}), background);
    ASSERT_EQ(found.pixels.size(), expected.pixels.size());
    for (size_t i = 0; i < found.pixels.size(); ++i)
        EXPECT_NEAR(found.pixels[i], expected.pixels[i], 2);  // colour and alpha are rounded apart
}

TEST(Photographs, DownscaledLaterTheyAreAsLoadedDownscaled) {
    for (const int factor : {1, 2, 4, 8}) {
        const OnePicture picture(testImage(45, 27, 3));
        const Photograph wanted = picture.load({.downscale = factor}), found = downscaled(picture.load({}), factor);
        EXPECT_EQ(found.image.pixels, wanted.image.pixels) << factor;
        EXPECT_EQ(found.camera, wanted.camera);
        EXPECT_EQ(found.name, wanted.name);
    }
}

TEST(Photographs, AlphaIsKeptWhenTheyAreDownscaledLater) {
    Image8 image(2, 2, 4);
    image.pixels = {240, 0, 0, 255, 0, 240, 0, 0, 240, 0, 0, 255, 0, 240, 0, 0};
    const Photograph small = downscaled(OnePicture(image).load({.keepAlpha = true}), 2);
    EXPECT_EQ(small.covers, Coverage::alpha);
    EXPECT_EQ(small.image.pixels, (std::vector<uint8_t>{240, 0, 0}));
    EXPECT_EQ(small.coverage.pixels, (std::vector<uint8_t>{128}));
}

TEST(Photographs, ShrinkToRoundedSizesWithTheirCamera) {
    const OnePicture picture(testImage(15, 9, 3));
    const Photograph photograph = picture.load({.downscale = 2});
    EXPECT_EQ(photograph.image.width, 8);   // 7.5 rounds up
    EXPECT_EQ(photograph.image.height, 5);  // 4.5 rounds up
    EXPECT_DOUBLE_EQ(photograph.camera.fx, 20 * 8.0 / 15);
    EXPECT_DOUBLE_EQ(photograph.camera.cy, 0.4 * 5);
    EXPECT_EQ(photograph.camera.width, 8);
    const Photograph tiny = OnePicture(testImage(3, 1, 3)).load({.downscale = 8});
    EXPECT_EQ(tiny.image.width, 1);
    EXPECT_EQ(tiny.image.height, 1);
}

TEST(Photographs, AreRoundedOnceToTheNearestByte) {
    Image8 image(2, 2, 3);
    image.pixels = {0, 10, 1, 1, 10, 1, 0, 10, 1, 1, 10, 0};  // means 0.5, 10 and 0.75
    EXPECT_EQ(OnePicture(image).load({.downscale = 2}).image.pixels, (std::vector<uint8_t>{1, 10, 1}));
}

TEST(Photographs, AutomaticDownscaleKeepsTheLongerSideWithin1600) {
    const auto longerSide = [](int width) { return OnePicture(testImage(width, 4, 3)).load({.downscale = 0}).image.width; };
    EXPECT_EQ(longerSide(1600), 1600);
    EXPECT_EQ(longerSide(1602), 801);
    EXPECT_EQ(longerSide(3200), 1600);
    EXPECT_EQ(longerSide(3204), 801);
    EXPECT_EQ(longerSide(20000), 2500);  // 8 is the most
}

TEST(Photographs, AreUndistortedBeforeTheyShrink) {
    OnePicture picture(testImage(64, 48, 3));
    View& view = picture.dataset.views[0];
    view.camera.fx = view.camera.fy = 60;
    view.distortion = opencv({0.1, -0.02, 0.001, 0.002});
    const Camera straight = undistortedCamera(view.camera, view.distortion);
    const Photograph photograph = picture.load({.downscale = 2});
    EXPECT_EQ(photograph.image.width, std::lround(straight.width / 2.0));
    EXPECT_EQ(photograph.image.height, std::lround(straight.height / 2.0));
    ImageF stored(64, 48, 3);
    std::ranges::copy(testImage(64, 48, 3).pixels, stored.pixels.begin());
    const ImageF expected =
        areaFilter(undistortImage(stored, view.camera, view.distortion, straight), photograph.image.width, photograph.image.height);
    for (size_t i = 0; i < expected.pixels.size(); ++i) EXPECT_NEAR(photograph.image.pixels[i], expected.pixels[i], 0.5001);
    EXPECT_NEAR(photograph.camera.fx, 60.0 * photograph.image.width / straight.width, 1e-12);
}

/// A barrel that shows all of the photograph leaves blank pixels at the middle of its sides.
struct WholeBarrel : OnePicture {
    explicit WholeBarrel(int channels) : OnePicture(testImage(64, 48, channels)) {
        View& view = dataset.views[0];
        view.camera.fx = view.camera.fy = 50;
        view.distortion = opencv({-0.2, 0.03});
        dataset.undistort.blankPixels = 1;
    }
};

TEST(Photographs, BlankPixelsAreMasked) {
    const WholeBarrel picture(3);
    const View& view = picture.dataset.views[0];
    const Camera straight = undistortedCamera(view.camera, view.distortion, picture.dataset.undistort);
    EXPECT_GT(straight.width, undistortedCamera(view.camera, view.distortion).width);
    const Source source(view.camera, view.distortion, straight);
    const Photograph photograph = picture.load();
    EXPECT_EQ(photograph.camera.width, straight.width);
    ASSERT_EQ(photograph.covers, Coverage::mask);
    size_t blank = 0;
    for (int y = 0; y < straight.height; ++y) {
        for (int x = 0; x < straight.width; ++x) {
            ASSERT_EQ(photograph.coverage.at(x, y)[0], source.of(x, y).seen ? 255 : 0) << x << " " << y;
            blank += source.of(x, y).seen ? 0u : 1u;
        }
    }
    EXPECT_GT(blank, 100u);
    const Photograph small = picture.load({.downscale = 2});
    EXPECT_EQ(small.coverage.at(small.image.width / 2, small.image.height / 2)[0], 255);
    EXPECT_EQ(small.coverage.at(0, small.image.height / 2)[0], 0);
}

TEST(Photographs, AMaskAndBlankPixelsBothCount) {
    WholeBarrel picture(3);
    picture.dataset.path = picture.scratch.path();
    picture.dataset.views[0].file = "a.png";
    Image8 mask(64, 48, 3);
    for (int y = 0; y < 48; ++y)
        for (int x = 32; x < 64; ++x) std::ranges::fill(mask.at(x, y), uint8_t{255});
    fs::create_directories(picture.scratch.path() / "masks");
    writePng(picture.scratch.path() / "masks/a.png.png", mask);
    const Photograph photograph = picture.load();
    const int middle = photograph.image.height / 2, width = photograph.image.width;
    EXPECT_EQ(photograph.coverage.at(width / 4, middle)[0], 0);
    EXPECT_EQ(photograph.coverage.at(width * 3 / 4, middle)[0], 255);
    EXPECT_EQ(photograph.coverage.at(width - 1, middle)[0], 0);
}

TEST(Photographs, BlankPixelsOfTransparentOnesAreRefused) {
    const WholeBarrel picture(4);
    expectInputError([&] { picture.load({.keepAlpha = true}); }, {"a.png", "transparency"});
    EXPECT_EQ(picture.load().covers, Coverage::mask);
}

TEST(Photographs, ARescaledCopyRescalesItsCamera) {
    const Camera original = cameraOf(4946, 3286);
    const OnePicture picture(testImage(618, 411, 3), original);  // mip-NeRF 360's images_8
    const Camera camera = picture.load().camera;
    EXPECT_EQ(camera.width, 618);
    EXPECT_EQ(camera.height, 411);
    EXPECT_DOUBLE_EQ(camera.fx, 20 * 618.0 / 4946);
    EXPECT_DOUBLE_EQ(camera.cy, 0.4 * 411);
}

TEST(Photographs, AnotherAspectIsRefused) {
    const OnePicture picture(testImage(16, 12, 3), cameraOf(16, 16));
    expectInputError([&] { picture.load(); }, {"a.png", "16x12", "16x16"});
}

TEST(Photographs, UndoableDistortionNamesTheImage) {
    OnePicture picture(testImage(64, 48, 3));
    picture.dataset.views[0].distortion = opencv({-9});
    expectInputError([&] { picture.load(); }, {"a.png", "k1 -9"});
}

TEST(Photographs, ATruncatedOneStopsTheLoadingWithItsName) {
    const Scratch scratch;
    Dataset dataset;
    for (int i = 0; i < 20; ++i) {
        const std::string content = encodeJpeg(testImage(16, 16, 3));
        const std::string name = fmt::format("{:02}.jpg", i);
        const fs::path path = scratch.write(name, i == 13 ? content.substr(0, content.size() / 2) : content);
        dataset.views.push_back({.name = name, .image = path, .camera = cameraOf(16, 16), .distortion = {}});
    }
    expectInputError([&] { loadPhotographs(dataset, viewsOfSplit(dataset, Split::all, 0), {}); }, {"13.jpg", "truncated"});
}

TEST(Photographs, ComeInTheOrderAskedForWithProgress) {
    const Scratch scratch;
    Dataset dataset;
    for (int i = 0; i < 30; ++i) {
        Image8 image(2, 2, 3);
        std::ranges::fill(image.pixels, static_cast<uint8_t>(i));
        const std::string name = fmt::format("{:02}.png", i);
        writePng(scratch.path() / name, image);
        dataset.views.push_back({.name = name, .image = scratch.path() / name, .camera = cameraOf(2, 2), .distortion = {}});
    }
    std::vector<size_t> calls;
    const auto photographs = loadPhotographs(dataset, {29, 3, 7}, {}, [&](size_t done, size_t total) {
        EXPECT_EQ(total, 3u);
        calls.push_back(done);
    });
    EXPECT_EQ(calls, (std::vector<size_t>{1, 2, 3}));
    ASSERT_EQ(photographs.size(), 3u);
    EXPECT_EQ(photographs[0].name, "29.png");
    EXPECT_EQ(photographs[1].image.pixels[0], 3);
    EXPECT_EQ(photographs[2].image.pixels[0], 7);
}

}  // namespace
}  // namespace splat
