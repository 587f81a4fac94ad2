#include <splatwright/scene/photographs/undistort.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <splatwright/scene/datasets/camera_models.h>
#include <splatwright/scene/datasets/dataset.h>
#include "lens_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

const Distortion kFox = opencv({0.0578421, -0.0805099, -0.000980296, 0.00015575});
const Distortion kBarrel = opencv({-0.2, 0.03, 0.001, -0.002});
const Distortion kPincushion = opencv({0.15});

Camera camera(int width, int height, double focal) {
    return {.width = width, .height = height, .fx = focal, .fy = focal * 1.01, .cx = width * 0.49, .cy = height * 0.52};
}

TEST(UndistortedCamera, WithoutDistortionStaysAsItIs) {
    const Camera before = camera(640, 480, 500);
    const Camera after = undistortedCamera(before, {});
    EXPECT_EQ(after.width, 640);
    EXPECT_EQ(after.cx, before.cx);
}

/// COLMAP's statement of blank_pixels 0: no pixel lacks a source. Its formula gives way by up to half a pixel at the far ends, and the
/// border's bend between corner and middle is what "inside" measures, so a pixel may lie that much outside.
TEST(UndistortedCamera, HasNoBlankPixelsAndWastesNoBorder) {
    for (const Distortion& distortion : {kFox, kBarrel, kPincushion}) {
        const Camera before = camera(640, 480, 500);
        const Camera after = undistortedCamera(before, distortion);
        const Lens lens(before, distortion);
        EXPECT_EQ(after.fx, before.fx);
        EXPECT_EQ(after.fy, before.fy);
        EXPECT_NEAR(after.cx / after.width, before.cx / before.width, 1e-12);
        double outside = 0, slack = 1e9;
        const auto visit = [&](double x, double y) {
            const glm::dvec2 p = lens.pixelOf({(x - after.cx) / after.fx, (y - after.cy) / after.fy, 1}).value();
            const double margin = std::min({p.x, 640 - p.x, p.y, 480 - p.y});
            outside = std::max(outside, -margin);
            slack = std::min(slack, std::abs(margin));
        };
        for (int i = 0; i < after.width; ++i) visit(i + 0.5, 0.5), visit(i + 0.5, after.height - 0.5);
        for (int i = 0; i < after.height; ++i) visit(0.5, i + 0.5), visit(after.width - 0.5, i + 0.5);
        EXPECT_LT(outside, 1.0);
        EXPECT_LT(slack, 1.5);
    }
}

TEST(UndistortedCamera, TakesItsSizeFromColmapsFormula) {
    // k1 only, square pixels, centred: the border bends inwards most at the middle of a side for pincushion (k1 > 0 pulls the
    // undistorted middle least), worked out here by bisection instead of Newton's method.
    const Distortion distortion = opencv({0.1});
    const Camera before{.width = 200, .height = 100, .fx = 150, .fy = 150, .cx = 100, .cy = 50};
    const auto invert = [&](double radius) {
        double low = 0, high = radius;
        for (int i = 0; i < 200; ++i) {
            const double middle = 0.5 * (low + high);
            (middle * (1 + 0.1 * middle * middle) < radius ? low : high) = middle;
        }
        return low;
    };
    double left = -1e9, right = 1e9, top = -1e9, bottom = 1e9;
    const auto straight = [&](double x, double y) {
        const double dx = (x - 100) / 150, dy = (y - 50) / 150, radius = std::hypot(dx, dy);
        return glm::dvec2(dx, dy) * (invert(radius) / radius * 150) + glm::dvec2(100, 50);
    };
    for (int y = 0; y < 100; ++y) left = std::max(left, straight(0.5, y + 0.5).x), right = std::min(right, straight(199.5, y + 0.5).x);
    for (int x = 0; x < 200; ++x) top = std::max(top, straight(x + 0.5, 0.5).y), bottom = std::min(bottom, straight(x + 0.5, 99.5).y);
    const double scaleX = std::max(100 / (100 - left), (200 - 0.5 - 100) / (right - 100));
    const double scaleY = std::max(50 / (50 - top), (100 - 0.5 - 50) / (bottom - 50));
    const Camera after = undistortedCamera(before, distortion);
    EXPECT_EQ(after.width, static_cast<int>(200 / scaleX));
    EXPECT_EQ(after.height, static_cast<int>(100 / scaleY));
    EXPECT_LT(after.width, 200);
    EXPECT_DOUBLE_EQ(after.cx, after.width / 2.0);
}

TEST(UndistortedCamera, AModelThatFoldsInsideTheImageIsRefused) {
    expectInputError([] { undistortedCamera(camera(640, 480, 300), opencv({-5})); }, {"k1 -5", "640x480"});
}

/// A picture whose value is a linear function of the straight pixel's place: projecting it through the lens and back must give it again.
TEST(UndistortImage, UndoesTheForwardModel) {
    const Camera before = camera(160, 120, 130);
    for (const Distortion& distortion : {kFox, kBarrel, kPincushion}) {
        const Camera after = undistortedCamera(before, distortion);
        const Lens lens(before, distortion);
        ImageF photograph(before.width, before.height, 3);
        for (int y = 0; y < before.height; ++y) {
            for (int x = 0; x < before.width; ++x) {
                const glm::dvec3 ray = lens.rayOf({x + 0.5, y + 0.5}).value();
                const auto pixel = photograph.at(x, y);
                pixel[0] = static_cast<float>(ray.x / ray.z * after.fx + after.cx);
                pixel[1] = static_cast<float>(ray.y / ray.z * after.fy + after.cy);
                pixel[2] = 1;
            }
        }
        const ImageF straight = undistortImage(photograph, before, distortion, after);
        ASSERT_EQ(straight.width, after.width);
        ASSERT_EQ(straight.height, after.height);
        for (int y = 1; y + 1 < after.height; ++y) {
            for (int x = 1; x + 1 < after.width; ++x) {
                // Bilinear interpolation of a function whose second derivatives stay below 0.01 per pixel squared; a missing half pixel
                // would show as 0.5.
                EXPECT_NEAR(straight.at(x, y)[0], x + 0.5, 0.01);
                EXPECT_NEAR(straight.at(x, y)[1], y + 0.5, 0.01);
                EXPECT_EQ(straight.at(x, y)[2], 1);
            }
        }
    }
}

TEST(UndistortImage, SamplesAtPixelCentresExactly) {
    const Camera plain{.width = 3, .height = 2, .fx = 2, .fy = 2, .cx = 1.5, .cy = 1};
    ImageF image(3, 2, 1);
    image.pixels = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(undistortImage(image, plain, {}, plain).pixels, image.pixels);
    Camera shifted = plain;
    shifted.cx += 0.5;  // looks half a pixel further left: means of neighbours, and the border goes on
    EXPECT_EQ(undistortImage(image, plain, {}, shifted).pixels, (std::vector<float>{1, 1.5f, 2.5f, 4, 4.5f, 5.5f}));
}

struct ColmapSize {
    const char* model;
    std::vector<double> parameters;
    std::array<std::array<int, 2>, 5> sizes;
};

/// What COLMAP 3.8 makes of photographs of 160x120 pixels: `colmap image_undistorter --blank_pixels B --max_scale S`, with B and S of kOptions.
/// Focal lengths stayed as they were.
TEST(UndistortedCamera, IsColmaps) {
    const std::array<UndistortOptions, 5> kOptions{{{0, 2}, {0.5f, 2}, {1, 2}, {1, 1.2f}, {1, 16}}};
    const std::vector<ColmapSize> kSizes{
        {"OPENCV_FISHEYE", {70, 71, 82, 58.5, 0.03, -0.01, 0.004, -0.001}, {{{269, 151}, {320, 229}, {320, 240}, {192, 144}, {626, 472}}}},
        {"OPENCV_FISHEYE", {110, 111, 78, 61, -0.05, 0.02, -0.01, 0.003}, {{{197, 134}, {218, 154}, {244, 181}, {192, 144}, {244, 181}}}},
        {"FULL_OPENCV",
         {130, 131, 79, 62, 0.12, -0.05, 0.001, -0.002, 0.03, 0.05, -0.02, 0.01},
         {{{153, 115}, {155, 116}, {157, 118}, {157, 118}, {157, 118}}}},
        {"FULL_OPENCV",
         {120, 118, 83, 57, -0.2, 0.06, -0.002, 0.001, -0.01, 0.01, 0.003, -0.002},
         {{{175, 124}, {183, 134}, {193, 146}, {192, 144}, {193, 146}}}},
        {"THIN_PRISM_FISHEYE",
         {90, 92, 81, 59, 0.02, -0.01, 0.001, -0.002, 0.003, -0.001, 0.002, -0.003},
         {{{215, 136}, {242, 165}, {275, 208}, {192, 144}, {275, 208}}}},
        {"THIN_PRISM_FISHEYE",
         {80, 79, 77, 63, -0.03, 0.01, 0.002, 0.001, -0.002, 0.0005, -0.001, 0.002},
         {{{247, 147}, {320, 215}, {320, 240}, {192, 144}, {530, 398}}}},
        {"SIMPLE_RADIAL_FISHEYE", {85, 79, 61, -0.04}, {{{245, 147}, {312, 201}, {320, 240}, {192, 144}, {429, 319}}}},
        {"RADIAL_FISHEYE", {85, 79, 61, 0.02, -0.01}, {{{223, 141}, {264, 178}, {320, 240}, {192, 144}, {322, 240}}}},
        {"FOV", {120, 121, 79, 61, 0.7}, {{{164, 119}, {168, 124}, {173, 129}, {173, 129}, {173, 129}}}},
        {"OPENCV", {120, 121, 79, 61, -0.15, 0.03, 0.001, -0.002}, {{{169, 123}, {175, 129}, {181, 134}, {181, 134}, {181, 134}}}},
    };
    for (const ColmapSize& row : kSizes) {
        const LensModel& model = *findLensModel(row.model);
        const Intrinsics lens = makeIntrinsics("camera", model, 160, 120, row.parameters);
        for (size_t i = 0; i < kOptions.size(); ++i) {
            const Camera straight = undistortedCamera(lens.camera, lens.distortion, kOptions[i]);
            EXPECT_EQ(straight.width, row.sizes[i][0]) << row.model << " " << i;
            EXPECT_EQ(straight.height, row.sizes[i][1]) << row.model << " " << i;
            EXPECT_EQ(straight.fx, lens.camera.fx);
            EXPECT_EQ(straight.fy, lens.camera.fy);
            EXPECT_NEAR(straight.cx, lens.camera.cx * straight.width / 160, 1e-9);
            EXPECT_NEAR(straight.cy, lens.camera.cy * straight.height / 120, 1e-9);
        }
    }
}

/// A circular fisheye of 200 degrees in a square photograph: every side is behind the camera.
TEST(UndistortedCamera, OfSidesBehindAFisheyeIsAsLargeAsItMayBe) {
    const Camera round{.width = 200, .height = 200, .fx = 57, .fy = 57, .cx = 100, .cy = 100};
    const Distortion fisheye = distortionOf(*findLensModel("FISHEYE"), {});
    for (const float blankPixels : {0.0f, 0.5f, 1.0f}) EXPECT_EQ(undistortedCamera(round, fisheye, {blankPixels}).width, 400);
    EXPECT_EQ(undistortedCamera(round, fisheye, {.maxScale = 3}).height, 600);
    EXPECT_TRUE(Source(round, fisheye, undistortedCamera(round, fisheye)).seesAll());
}

TEST(Source, BlankPixelsAreThoseThatThePhotographDoesNotShow) {
    const Camera before = camera(160, 120, 130);
    for (const Distortion& distortion : {kFox, kBarrel, kPincushion})
        EXPECT_TRUE(Source(before, distortion, undistortedCamera(before, distortion)).seesAll());
    const Camera whole = undistortedCamera(before, kBarrel, {.blankPixels = 1});
    const Source source(before, kBarrel, whole);
    EXPECT_FALSE(source.seesAll());
    EXPECT_TRUE(source.of(whole.width / 2, whole.height / 2).seen);
    EXPECT_FALSE(source.of(0, whole.height / 2).seen);
}

/// Beyond the fold, the formula would bring pixels of the middle again.
TEST(Source, PixelsBeyondTheFoldAreBlank) {
    const Camera before = camera(160, 120, 130);  // the corner is at 0.77
    const Distortion folded = opencv({-0.6});     // the fold at 0.745, where the distorted radius is 0.497
    Camera wide = before;
    wide.width = wide.height = 400;
    wide.cx = wide.cy = 200;
    const Source source(before, folded, wide);
    for (int x = 0; x < 400; ++x) {
        const double r = std::hypot((x + 0.5 - 200) / wide.fx, 0.5 / wide.fy);
        if (std::abs(r - 0.745) < 0.01) continue;
        EXPECT_EQ(source.of(x, 200).seen, r < 0.745) << x;
    }
}

TEST(Source, OfACircleEndsThere) {
    const Camera before{.width = 200, .height = 100, .fx = 60, .fy = 60, .cx = 100, .cy = 50};
    Distortion fisheye = distortionOf(*findLensModel("FISHEYE"), {});
    fisheye.circle = 0.2;  // 40 pixels
    const Source source(before, fisheye, before);
    for (int x = 0; x < 200; ++x) EXPECT_EQ(source.of(x, 50).seen, std::abs(x + 0.5 - 100) < 60 * std::tan(41.0 / 60)) << x;
}

TEST(Surroundings, OfAPanoramaGoAround) {
    for (const double place : {0.25, 10.25}) {
        const Surroundings s = surroundingsOf({place, 3}, 10, 5, true);
        EXPECT_EQ(s.x0, 9);
        EXPECT_EQ(s.x1, 0);
        EXPECT_FLOAT_EQ(s.x, 0.75f);
    }
    EXPECT_EQ(surroundingsOf({9.5, 3}, 10, 5, true).x0, 9);
    EXPECT_EQ(surroundingsOf({0.5, 3}, 10, 5, true).x0, 0);
    EXPECT_EQ(surroundingsOf({0.25, 3}, 10, 5).x1, 1);
}

}  // namespace
}  // namespace splat
