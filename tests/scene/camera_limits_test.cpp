#include <splatwright/scene/cameras/camera_limits.h>

#include <functional>
#include <limits>

#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/scene/photographs/undistort.h>
#include "encoders.h"
#include "lens_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

struct Lens {
    Camera camera{.width = 64, .height = 48, .fx = 50, .fy = 51, .cx = 32, .cy = 24};
    Distortion distortion = opencv({0.1, 0.01, 0.001, 0.002});
    void check() const { checkLens("file: camera 1", camera, distortion); }
};

struct Property {
    const char* name;
    std::function<double&(Lens&)> of;
    double least, most;  ///< the range, for 64x48 pixels
};
const std::vector<Property> kProperties{
    {"focal length fx", [](Lens& l) -> double& { return l.camera.fx; }, 0.064, 64e6},
    {"focal length fy", [](Lens& l) -> double& { return l.camera.fy; }, 0.064, 64e6},
    {"principal point cx", [](Lens& l) -> double& { return l.camera.cx; }, -640, 704},
    {"principal point cy", [](Lens& l) -> double& { return l.camera.cy; }, -480, 528},
    {"distortion k1", [](Lens& l) -> double& { return l.distortion.parameters[0]; }, -1e6, 1e6},
    {"distortion k2", [](Lens& l) -> double& { return l.distortion.parameters[1]; }, -1e6, 1e6},
    {"distortion p1", [](Lens& l) -> double& { return l.distortion.parameters[2]; }, -1e6, 1e6},
    {"distortion p2", [](Lens& l) -> double& { return l.distortion.parameters[3]; }, -1e6, 1e6},
};

TEST(CameraLimits, EveryNumberOfALensHasItsRange) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_NO_THROW(Lens().check());
    for (const Property& property : kProperties) {
        for (const double good : {property.least, property.most}) {
            Lens lens;
            property.of(lens) = good;
            EXPECT_NO_THROW(lens.check()) << property.name << " " << good;
        }
        const double margin = 1e-6 * (property.most - property.least);
        for (const double bad : {property.least - margin, property.most + margin, 1e300, -1e300, kInfinity, -kInfinity,
                                 std::numeric_limits<double>::quiet_NaN()}) {
            Lens lens;
            property.of(lens) = bad;
            expectInputError([&] { lens.check(); }, {"file: camera 1", property.name, fmt::format("{}", bad), "expected"});
        }
    }
}

TEST(CameraLimits, ImagesHaveOneTo65536PixelsASide) {
    for (const int bad : {0, -1, 65537, std::numeric_limits<int>::max()}) {
        Lens wide, high;
        wide.camera.width = high.camera.height = bad;
        expectInputError([&] { wide.check(); }, {"width", std::to_string(bad), "1 to 65536"});
        expectInputError([&] { high.check(); }, {"height", std::to_string(bad), "1 to 65536"});
    }
}

TEST(CameraLimits, ImagesHaveAtMostAsManyPixelsAsKernelsCount) {
    const auto sized = [](int width, int height) {
        Lens lens;
        lens.camera = {.width = width, .height = height, .fx = 70'000, .fy = 70'000, .cx = 1, .cy = 1};
        return lens;
    };
    EXPECT_NO_THROW(sized(32768, 32768).check());
    EXPECT_NO_THROW(sized(65536, 16384).check());
    for (const auto& [width, height] : {std::pair(65536, 65536), {32768, 32769}, {16385, 65536}}) {
        expectInputError([&] { sized(width, height).check(); },
                         {"file: camera 1", std::to_string(width), std::to_string(height), "1073741824"});
    }
    EXPECT_THROW(checkPixels("x", UINT64_MAX, UINT64_MAX), InputError);
    EXPECT_NO_THROW(checkPixels("x", 0, UINT64_MAX));
}

/// A lens at each corner of its ranges: whatever the formulas make of it, an image comes out or the camera is refused.
TEST(CameraLimits, NoLensWithinThemBreaksUndistortion) {
    ImageF image(64, 48, 1);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<float>(i);
    size_t straightened = 0;
    for (size_t a = 0; a < kProperties.size(); ++a) {
        for (size_t b = 0; b < kProperties.size(); ++b) {
            for (const bool low : {false, true}) {
                Lens lens;
                kProperties[a].of(lens) = low ? kProperties[a].least : kProperties[a].most;
                kProperties[b].of(lens) = low ? kProperties[b].most : kProperties[b].least;
                lens.check();
                try {
                    const Camera target = undistortedCamera(lens.camera, lens.distortion);
                    const ImageF straight = undistortImage(image, lens.camera, lens.distortion, target);
                    for (const float value : straight.pixels) ASSERT_TRUE(value >= 0 && value < 64 * 48);
                    ++straightened;
                } catch (const InputError&) {
                }
            }
        }
    }
    EXPECT_GT(straightened, 4u);
}

TEST(CameraLimits, APlaceThatIsNotANumberTakesTheCornerPixel) {
    const Lens lens;
    Camera forged = lens.camera;
    forged.fx = forged.fy = 1e-200;  // the square of a pixel's place overflows, and infinity times zero is not a number
    ImageF image(64, 48, 1);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<float>(i + 1);
    const ImageF straight = undistortImage(image, forged, opencv({0, 0, 0, 5e-324}), forged);
    for (const float value : straight.pixels) ASSERT_EQ(value, 1);
}

/// The text of a COLMAP model of one image with this camera line, pose and point.
struct Model {
    std::string camera = "1 PINHOLE 64 48 50 50 32 24", pose = "1 0 0 0 0 0 0", point = "1 0 0 0 9 9 9 0";

    void load() const {
        const Scratch scratch;
        scratch.write("sparse/cameras.txt", camera + "\n");
        scratch.write("sparse/images.txt", "1 " + pose + " 1 a.webp\n\n");
        scratch.write("sparse/points3D.txt", point + "\n");
        scratch.write("images/a.webp", encodeWebp(testImage(64, 48, 3)));
        const Dataset dataset = loadDataset(scratch.path());
        EXPECT_EQ(loadPhotographs(dataset, {0}, {}).size(), 1u);
    }
};

TEST(CameraLimits, HoldForColmap) {
    Model().load();
    expectInputError([] { Model{.camera = "1 OPENCV 64 64 4.2475e-153 4.2475e-153 32 32 0 0 5e-324 0"}.load(); },
                     {"cameras.txt:1: camera 1", "focal length fx is 4.2475e-153"});
    for (const char* absurd : {"1e300", "-1e300", "2e12", "inf", "nan"}) {
        for (size_t i = 0; i < 3; ++i) {
            std::array<std::string, 3> t{"0", "0", "0"};
            t[i] = absurd;
            const std::string triple = fmt::format("{} {} {}", t[0], t[1], t[2]);
            expectInputError([&] { Model{.pose = "1 0 0 0 " + triple}.load(); }, {"images.txt", "'a.webp'", "translation", "expected"});
            expectInputError([&] { Model{.point = "1 " + triple + " 9 9 9 0"}.load(); }, {"points3D.txt", "point 1", "expected"});
        }
        expectInputError([&] { Model{.pose = absurd + std::string(" 0 0 0 0 0 0")}.load(); }, {"images.txt", "rotation", "expected"});
    }
    Model{.pose = "3 0 0 0 1e12 0 -1e12", .point = "1 1e12 0 0 9 9 9 0"}.load();
}

TEST(CameraLimits, HoldForTransforms) {
    const auto load = [](const std::string& lens, const std::string& x) {
        const Scratch scratch;
        scratch.write("images/a.webp", encodeWebp(testImage(64, 48, 3)));
        scratch.write("transforms.json", "{" + lens + R"(, "frames": [{"file_path": "images/a.webp", "transform_matrix":
            [[1, 0, 0, )" + x + "], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}]}");
        loadDataset(scratch.path());
    };
    const std::string good = R"("fl_x": 50, "w": 64, "h": 48)";
    EXPECT_NO_THROW(load(good, "3"));
    for (const char* absurd : {"1e300", "-1e300"}) {
        expectInputError([&] { load(good, absurd); }, {"frame 0", "transform_matrix", "expected"});
        expectInputError([&] { load(std::string(R"("fl_x": )") + absurd, "3"); }, {"frame 0", "focal length fx"});
        expectInputError([&] { load(good + R"(, "k1": )" + absurd, "3"); }, {"frame 0", "distortion k1"});
        expectInputError([&] { load(std::string(R"("fl_x": 50, "h": 48, "w": )") + absurd, "3"); }, {"frame 0", "w and h"});
    }
}

}  // namespace
}  // namespace splat
