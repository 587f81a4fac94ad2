#include <splatwright/scene/photographs/depth_maps.h>

#include <splatwright/core/rng.h>
#include <splatwright/scene/datasets/companions.h>
#include <splatwright/scene/images/image_file.h>
#include "lens_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

Image16 mapOf(int width, int height, const std::vector<uint16_t>& values) {
    Image16 map(width, height, 1);
    map.pixels = values;
    return map;
}

Camera camera(int width, int height) {
    return {.width = width, .height = height, .fx = 40, .fy = 50, .cx = width / 2.0, .cy = height / 2.0};
}

TEST(Grey16, FilesKeepEveryBit) {
    const Scratch scratch;
    const Image16 image = mapOf(3, 2, {0, 1, 255, 256, 43981, 65535});
    writeGrey16(scratch.path() / "a.png", image);
    EXPECT_EQ(readGrey16(scratch.path() / "a.png", readImageHeader(scratch.path() / "a.png")).pixels, image.pixels);
}

TEST(Grey16, OtherFilesAreRefusedByName) {
    const Scratch scratch;
    const fs::path path = scratch.path() / "a.png";
    writePng(path, Image8(3, 2, 3));
    expectInputError([&] { readGrey16(path, readImageHeader(path)); }, {"a.png", "8 bits", "expected 16 bits"});
    scratch.write("a.png", "P5 3 2 65535 ");
    expectInputError([&] { readGrey16(path, {.size = {3, 2}}); }, {"a.png", "expected PNG"});
}

TEST(Grey16, EveryTruncatedFileIsAnError) {
    const Scratch scratch;
    const fs::path path = scratch.path() / "a.png";
    Image16 image(9, 7, 1);
    Rng rng(2);
    for (uint16_t& value : image.pixels) value = static_cast<uint16_t>(rng.below(65536));
    writeGrey16(path, image);
    const ImageHeader header = readImageHeader(path);
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    for (size_t length = 0; length < bytes.size(); ++length) {
        scratch.write("cut.png", bytes.substr(0, length));
        expectInputError([&] { readGrey16(scratch.path() / "cut.png", header); }, {"cut.png"});
    }
}

TEST(DepthMaps, ShrinkToTheMeanOfTheKnownPixels) {
    const Image16 map = mapOf(5, 2, {10, 0, 7, 0, 9, 20, 0, 8, 0, 9});
    EXPECT_EQ(downscaledDepths(map, 5, 2).pixels, map.pixels);
    EXPECT_EQ(downscaledDepths(map, 2, 1).pixels, (std::vector<uint16_t>{15, 8}));  // columns 0 and 1; columns 2 to 4: (7 + 9 + 8 + 9) / 4
    EXPECT_EQ(downscaledDepths(map, 1, 1).pixels, (std::vector<uint16_t>{11}));     // 63 / 6 = 10.5
}

TEST(DepthMaps, AreUndistortedLikeTheirPhotograph) {
    const Camera stored = camera(40, 30);
    const Distortion none{}, barrel = opencv({-0.1});
    Image16 ramp(40, 30, 1);
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 40; ++x) ramp.at(x, y)[0] = static_cast<uint16_t>(100 * x + y + 1);
    EXPECT_EQ(resampledDepths(ramp, {stored, none, stored, stored}).pixels, ramp.pixels);
    const Camera straight = camera(36, 26);
    const Image16 found = resampledDepths(ramp, {stored, barrel, straight, straight});
    // The centre of pixel (3, 4), by hand: x = (3.5 - 18) / 40, y = (4.5 - 13) / 50, times 1 - 0.1 r^2.
    const double x = -0.3625, y = -0.17, radial = 1 - 0.1 * (x * x + y * y);
    const int column = static_cast<int>(40 * x * radial + 20), row = static_cast<int>(50 * y * radial + 15);
    EXPECT_EQ(found.at(3, 4)[0], 100 * column + row + 1);
    const Camera larger = camera(60, 26);
    const Image16 blank = resampledDepths(ramp, {stored, barrel, larger, larger});
    EXPECT_EQ(blank.at(0, 13)[0], 0);
    EXPECT_GT(blank.at(30, 13)[0], 0);
}

/// Points on a slope, with the map that a depth estimator would make of it.
struct Slope {
    Camera view = camera(64, 48);
    std::vector<Point> points;
    std::vector<uint32_t> all;
    DepthMap map{.values = Image16(64, 48, 1)};
    static constexpr double kScale = 2e-5, kShift = 0.15;

    explicit Slope(size_t count = 200) {
        Rng rng(3);
        for (uint32_t i = 0; i < count; ++i) {
            const double z = rng.uniform(0.8, 5), x = rng.uniform(0.5, 63.5), y = rng.uniform(0.5, 47.5);
            points.push_back({glm::vec3(z * (x - view.cx) / view.fx, z * (y - view.cy) / view.fy, z), {}});
            all.push_back(i);
        }
        for (const DepthSample& s : samples()) map.values.at(s.x, s.y)[0] = valueOf(s.inverseDepth);
    }
    std::vector<DepthSample> samples() const { return depthSamples(view, points, all); }
    static uint16_t valueOf(double inverseDepth) {
        return static_cast<uint16_t>(std::clamp((inverseDepth - kShift) / kScale, 1.0, 65535.0));
    }
};

TEST(DepthFits, FindScaleAndShift) {
    Slope s;
    EXPECT_EQ(fitDepths(s.map, s.samples()), nullptr);
    EXPECT_NEAR(s.map.scale, Slope::kScale, 1e-3 * Slope::kScale);
    EXPECT_NEAR(s.map.shift, Slope::kShift, 1e-3);
}

TEST(DepthFits, StandAThirdOfWrongPoints) {
    Slope s;
    auto samples = s.samples();
    Rng rng(4);
    for (size_t i = 0; i < samples.size(); i += 3) samples[i].inverseDepth = rng.uniform(0.2, 8);
    EXPECT_EQ(fitDepths(s.map, samples), nullptr);
    EXPECT_NEAR(s.map.scale, Slope::kScale, 0.02 * Slope::kScale);
    EXPECT_NEAR(s.map.shift, Slope::kShift, 0.02);
}

TEST(DepthFits, OfTooFewPointsAreRefused) {
    Slope s;
    auto samples = s.samples();
    samples.resize(9);
    EXPECT_STREQ(fitDepths(s.map, samples), "fewer than 10 points");
    EXPECT_STREQ(fitDepths(s.map, {}), "fewer than 10 points");
}

TEST(DepthFits, OfAMapThatTellsNothingAreRefused) {
    Slope flat;
    for (uint16_t& value : flat.map.values.pixels) value = 7;
    EXPECT_STREQ(fitDepths(flat.map, flat.samples()), "points without relief");
    Slope negative;  // depth in place of inverse depth
    for (uint16_t& value : negative.map.values.pixels) value = value > 0 ? static_cast<uint16_t>(65536 - value) : uint16_t{0};
    EXPECT_STREQ(fitDepths(negative.map, negative.samples()), "a scale that is not positive");
    Slope random;
    Rng rng(5);
    for (const DepthSample& sample : random.samples())
        random.map.values.at(sample.x, sample.y)[0] = static_cast<uint16_t>(1 + rng.below(60000));
    EXPECT_NE(fitDepths(random.map, random.samples()), nullptr);
}

TEST(DepthSamples, AreThePointsInFrontOfTheCameraAndInTheImage) {
    const Camera view = camera(64, 48);
    const std::vector<Point> points{{{0, 0, 2}, {}}, {{0, 0, -2}, {}}, {{5, 0, 2}, {}}, {{0, 0, 0}, {}}, {{0.1f, -0.1f, 4}, {}}};
    const auto samples = depthSamples(view, points, std::vector<uint32_t>{0, 1, 2, 3, 4});
    ASSERT_EQ(samples.size(), 2u);
    EXPECT_EQ(samples[0].x, 32);
    EXPECT_EQ(samples[0].y, 24);
    EXPECT_EQ(samples[0].inverseDepth, 0.5);
    EXPECT_EQ(samples[1].x, 33);
    EXPECT_EQ(samples[1].y, 22);
}

TEST(DepthSamples, MakeAMapOfTheirPixelsAlone) {
    const Camera view = camera(4, 3);
    const std::vector<DepthSample> samples{{1, 2, 0.5}, {3, 0, 0.25}, {1, 2, 0.4}, {0, 0, 0.6}, {2, 1, 50}};  // the last is far too near
    const DepthMap map = sparseDepths(view, samples);
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 4; ++x) {
            const double expected = x == 1 && y == 2 ? 0.5 : x == 3 && y == 0 ? 0.25 : x == 0 && y == 0 ? 0.6 : 0;
            EXPECT_NEAR(map.values.at(x, y)[0] * map.scale + map.shift, expected, 1e-4);
        }
    }
    EXPECT_TRUE(sparseDepths(view, {}).values.pixels.empty());
}

TEST(DepthSamples, WithoutTracksHiddenPointsAreNotSeen) {
    const Camera view = camera(64, 48);
    const std::vector<Point> points{{{0, 0, 2}, {}}, {{0.01f, 0, 2.1f}, {}}, {{0, 0.01f, 6}, {}}, {{1.2f, 0, 6}, {}}, {{0, 0, -1}, {}}};
    EXPECT_EQ(visiblePoints(view, points), (std::vector<uint32_t>{0, 1, 3}));
}

/// A dataset of one picture, with a depth map.
struct Pictured {
    Scratch scratch;
    Dataset dataset;

    Pictured() {
        const fs::path path = scratch.path() / "images/a.png";
        fs::create_directories(path.parent_path());
        writePng(path, Image8(4, 2, 3));
        dataset.path = scratch.path();
        dataset.views.push_back({.file = "a.png", .name = "a.png", .image = path, .camera = camera(4, 2), .distortion = {}});
    }
    void addMap(const Image16& map) const {
        fs::create_directories(scratch.path() / "depths");
        writeGrey16(scratch.path() / "depths/a.png", map);
    }
    Photograph load(bool depths) const { return loadPhotographs(dataset, {0}, {.depths = depths}).at(0); }
};

TEST(DepthMaps, AreReadBesideTheImagesIfWanted) {
    const Pictured picture;
    EXPECT_TRUE(picture.load(true).depth.values.pixels.empty());
    picture.addMap(mapOf(4, 2, {0, 1, 2, 3, 4, 5, 6, 65535}));
    EXPECT_TRUE(picture.load(false).depth.values.pixels.empty());
    EXPECT_EQ(picture.load(true).depth.values.pixels, (std::vector<uint16_t>{1, 1, 2, 3, 4, 5, 6, 65535}))
        << "0 is known, and the farthest";
}

TEST(DepthMaps, OfAnotherSizeAreRefused) {
    const Pictured picture;
    picture.addMap(Image16(2, 4, 1));
    expectInputError([&] { picture.load(true); }, {"depths/a.png", "size is 2x4", "expected", "4x2"});
    picture.load(false);
}

}  // namespace
}  // namespace splat
