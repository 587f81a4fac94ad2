#include <splatwright/scene.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/synth/synth.h>
#include "api/library.h"
#include "scene/scratch.h"

namespace splatwright {
namespace {

using namespace test;
using splat::test::Scratch;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(LibrarySplats, KeepEveryBitInFilesThatAreWritten) {
    const Scratch scratch;
    for (const SplatFormat& format : splatFormats()) {
        const auto path = scratch.path() / ("splats" + format.extension);
        for (int degree = 0; degree <= 3; ++degree) {
            Splats splats = someSplats(17, degree);
            splats.antialiased = degree % 2 == 1;
            splats.positions[3][1] = -0.0f;
            if (format.writes) {
                writeSplats(path, splats);
                const Splats found = readSplats(path);
                if (format.name == "PLY") expectSameBits(found, splats);  // what others lose: tests/scene/format_bounds.h
                EXPECT_EQ(found.positions.size(), splats.positions.size()) << format.name;
            } else {
                expectError<InputError>([&] { writeSplats(path, splats); }, {path, format.name, "only read", "PLY (*.ply)"});
                EXPECT_FALSE(std::filesystem::exists(path));
            }
        }
    }
}

TEST(LibrarySplats, HaveTheFormatsOfTheTable) {
    const std::vector<SplatFormat> formats = splatFormats();
    ASSERT_EQ(formats.size(), splat::splatFormats().size());
    for (size_t i = 0; i < formats.size(); ++i) EXPECT_EQ(formats[i].name, splat::splatFormats()[i]->name);
}

TEST(LibrarySplats, RefuseWhatIsNotValid) {
    const Scratch scratch;
    const auto path = scratch.path() / "a.ply";
    for (const BadSplats& bad : badSplats()) {
        SCOPED_TRACE(bad.name);
        Splats splats = someSplats(3, 1);
        bad.spoil(splats);
        expectError<InputError>([&] { writeSplats(path, splats); }, {bad.message});
        expectError<InputError>([&] { orbit(splats, 3, 8, 8); }, {bad.message});
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    expectError<InputError>([&] { writeSplats(scratch.path() / "a.doc", someSplats(3, 1)); }, {"a.doc", "no splat file", "PLY"});
    expectError<Error>([&] { writeSplats(scratch.path() / "none/a.ply", someSplats(3, 1)); }, {"none/a.ply"});
    expectError<InputError>([&] { readSplats(scratch.path() / "none.ply"); }, {"none.ply"});
    expectError<InputError>([&] { readSplats(scratch.write("b.ply", "ply\nformat ascii 1.0\nend_header\n")); }, {"b.ply"});
}

TEST(LibraryImages, AreRoundedWrittenAndReadBack) {
    const Scratch scratch;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const ImageF image{2, 2, 3, {0, 1, 0.5f, -1, 2, nan, 0.2f, 0.4f, 0.6f, 1.0f / 255, 254.4f / 255, 254.6f / 255}};
    const Image8 rounded = quantised(image);
    EXPECT_EQ(rounded.pixels, (std::vector<uint8_t>{0, 255, 128, 0, 255, 0, 51, 102, 153, 1, 254, 255}));
    writePng(scratch.path() / "a.png", rounded);
    const Image8 read = readImage(scratch.path() / "a.png");
    EXPECT_EQ(read.pixels, rounded.pixels);
    EXPECT_EQ(read.width, 2);
    EXPECT_EQ(read.channels, 3);
}

TEST(LibraryImages, RefuseWhatIsNotValid) {
    const Scratch scratch;
    const auto path = scratch.path() / "a.png";
    const std::vector<std::pair<Image8, std::string>> bad{
        {{2, 2, 3, std::vector<uint8_t>(11)}, "found 11 values, expected 12"},
        {{2, 2, 3, std::vector<uint8_t>(13)}, "found 13 values, expected 12"},
        {{2, 2, 1, std::vector<uint8_t>(4)}, "of 1 channels"},
        {{0, 2, 3, {}}, "found 0x2"},
        {{2, -2, 3, {}}, "found 2x-2"},
        {{65536, 65536, 3, {}}, "width and height are 65536 and 65536"},
    };
    for (const auto& [image, message] : bad) expectError<InputError>([&, &image = image] { writePng(path, image); }, {message});
    EXPECT_FALSE(std::filesystem::exists(path));
    expectError<InputError>([] { quantised({3, 1, 3, {}}); }, {"found 0 values, expected 9"});
    expectError<InputError>([&] { readImage(path); }, {"a.png"});
    expectError<Error>([&] { writePng(scratch.path() / "none/a.png", {1, 1, 3, {1, 2, 3}}); }, {"none/a.png"});
}

TEST(LibraryCameras, KeepEveryBitInAFile) {
    const Scratch scratch;
    std::vector<NamedCamera> cameras;
    for (const Camera& camera : orbit(someSplats(20, 0), 7, 31, 17)) cameras.push_back({"c" + std::to_string(cameras.size()), camera});
    writeCameras(scratch.path() / "cameras.json", cameras);
    const std::vector<NamedCamera> read = readCameras(scratch.path() / "cameras.json");
    ASSERT_EQ(read.size(), 7u);
    for (size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(read[i].name, cameras[i].name);
        EXPECT_EQ(read[i].camera, cameras[i].camera) << i;
    }
}

/// Where a camera shows a point, pixels.
std::array<double, 2> pixelOf(const Camera& camera, const Vec3d& point) {
    Vec3d p = camera.translation;
    for (size_t row = 0; row < 3; ++row)
        for (size_t column = 0; column < 3; ++column) p.at(row) += camera.rotation.at(row).at(column) * point.at(column);
    EXPECT_GT(p[2], 0) << "behind the camera";
    return {camera.fx * p[0] / p[2] + camera.cx, camera.fy * p[1] / p[2] + camera.cy};
}

TEST(LibraryCameras, LookAtTheirTarget) {
    const Vec3d eye{1, -2, 5}, target{0.5, 3, -1}, up{0, -1, 0.2};
    const Camera camera = lookAt(eye, target, up, 40, 60, 50);
    const auto [x, y] = pixelOf(camera, target);
    EXPECT_NEAR(x, 30, 1e-9);
    EXPECT_NEAR(y, 25, 1e-9);
    const auto above = pixelOf(camera, {target[0] + 0.1 * up[0], target[1] + 0.1 * up[1], target[2] + 0.1 * up[2]});
    EXPECT_NEAR(above[0], 30, 1e-9);
    EXPECT_LT(above[1], 25) << "up is upwards, and y goes down";
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(positionOf(camera).at(i), eye.at(i), 1e-12);
    const Camera larger = resized(camera, 120, 150);
    const auto moved = pixelOf(larger, {0, 1, 0}), before = pixelOf(camera, {0, 1, 0});
    EXPECT_NEAR(moved[0], 2 * before[0], 1e-9);
    EXPECT_NEAR(moved[1], 3 * before[1], 1e-9);
}

TEST(LibraryCameras, OfAnOrbitShowTheSplatsFromAllAround) {
    const std::vector<Camera> cameras = orbit(someSplats(50, 0), 4, 40, 30);
    ASSERT_EQ(cameras.size(), 4u);
    for (size_t i = 0; i < 4; ++i) {
        const Vec3d a = positionOf(cameras[i]), b = positionOf(cameras[(i + 2) % 4]);
        EXPECT_NEAR(a[1], b[1], 1e-9) << "a circle around the vertical";
        EXPECT_GT(std::hypot(a[0] - b[0], a[2] - b[2]), 1);
        EXPECT_LT(a[1], 0.5) << "above the centre: y goes down";
    }
}

TEST(LibraryCameras, RefuseWhatIsNotValid) {
    const Scratch scratch;
    const auto path = scratch.path() / "c.json";
    for (const BadCamera& bad : badCameras()) {
        SCOPED_TRACE(bad.name);
        Camera camera = frontCamera();
        bad.spoil(camera);
        expectError<InputError>([&] { positionOf(camera); }, {bad.message});
        expectError<InputError>([&] { resized(camera, 10, 10); }, {bad.message});
        expectError<InputError>(
            [&] {
                writeCameras(path, {{"first", frontCamera()}, {"second", camera}});
            },
            {"camera 'second'", bad.message});
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    expectError<InputError>([] { resized(frontCamera(), 0, 10); }, {"width"});
    expectError<InputError>([] { lookAt({1, 1, 1}, {1, 1, 1}, {0, 1, 0}, 10, 8, 8); }, {"target - eye"});
    expectError<InputError>([] { lookAt({kNan, 1, 1}, {1, 1, 1}, {0, 1, 0}, 10, 8, 8); }, {"target - eye"});
    expectError<InputError>([] { lookAt({0, 0, 0}, {0, 2, 0}, {0, -1, 0}, 10, 8, 8); }, {"line of sight"});
    expectError<InputError>([] { lookAt({0, 0, 0}, {0, 0, 1}, {0, 0, 0}, 10, 8, 8); }, {"up"});
    expectError<InputError>([] { lookAt({0, 0, 0}, {0, 0, 1}, {0, 1, 0}, -1, 8, 8); }, {"focal length"});
    expectError<InputError>([] { orbit(someSplats(3, 0), 0, 8, 8); }, {"found 0 views"});
    expectError<InputError>([] { orbit(someSplats(3, 0), 2, 0, 8); }, {"width"});
    expectError<InputError>([] { orbit(someSplats(3, 0), 2, 8, 8, {0, 0, 0}); }, {"up"});
    expectError<InputError>([&] { readCameras(scratch.write("d.json", "[]")); }, {"d.json", "empty"});
    expectError<Error>([&] { writeCameras(scratch.path() / "none/c.json", {{"a", frontCamera()}}); }, {"none/c.json"});
}

struct LibraryDataset : testing::Test {
    LibraryDataset() { splat::writeSynthDataset(path, {.scene = "object", .views = 9, .width = 40, .height = 30}); }

    Scratch scratch;
    std::filesystem::path path = scratch.path() / "data";
};

TEST_F(LibraryDataset, HasItsViewsWithCamerasAndUses) {
    const Dataset dataset = readDataset(path);
    EXPECT_EQ(dataset.format, "colmap");
    EXPECT_FALSE(dataset.points.empty());
    ASSERT_EQ(dataset.views.size(), 9u);
    for (size_t i = 0; i < 9; ++i) {
        const DatasetView& view = dataset.views[i];
        EXPECT_TRUE(std::filesystem::exists(view.image)) << view.image;
        EXPECT_EQ(view.camera.width, 40);
        EXPECT_EQ(view.tests, i % 8 == 0) << i;
        EXPECT_EQ(view.trains, i % 8 != 0) << i;
    }
    for (const DatasetView& view : readDataset(path, {}, 0).views) EXPECT_TRUE(view.trains && !view.tests);
    const Dataset other = readDataset(path, {.format = "transforms"});
    EXPECT_EQ(other.format, "transforms");
    ASSERT_EQ(other.views.size(), 9u);
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(positionOf(other.views[4].camera).at(i), positionOf(dataset.views[4].camera).at(i), 1e-5);
}

TEST_F(LibraryDataset, RefusesWhatIsNotValid) {
    expectError<InputError>([&] { readDataset(scratch.path() / "none"); }, {"none", "no such dataset"});
    expectError<InputError>([&] { readDataset(scratch.path()); }, {"no dataset found"});
    expectError<InputError>([&] { readDataset(path, {.format = "picture"}); }, {"'picture'"});
    expectError<InputError>([&] { readDataset(path, {.images = "none"}); }, {"none"});
    expectError<InputError>([&] { readDataset(path, {.blankPixels = 2}); }, {"blankPixels is 2"});
    expectError<InputError>([&] { readDataset(path, {.maxScale = kNan}); }, {"maxScale is nan"});
    expectError<InputError>([&] { readDataset(path, {}, -1); }, {"testEvery is -1"});
}

}  // namespace
}  // namespace splatwright
