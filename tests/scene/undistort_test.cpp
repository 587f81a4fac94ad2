#include <splatwright/scene/undistort.h>

#include <cmath>

#include <splatwright/core/rng.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

const Distortion kFox{.k1 = 0.0578421, .k2 = -0.0805099, .p1 = -0.000980296, .p2 = 0.00015575};
const Distortion kBarrel{.k1 = -0.2, .k2 = 0.03, .p1 = 0.001, .p2 = -0.002};
const Distortion kPincushion{.k1 = 0.15};

Camera camera(int width, int height, double focal) {
    return {.width = width, .height = height, .fx = focal, .fy = focal * 1.01, .cx = width * 0.49, .cy = height * 0.52};
}

TEST(Distort, AgreesWithAnExampleByHand) {
    // r2 = 0.05, radial = 1 + 0.1 * 0.05 + 0.2 * 0.0025 = 1.0055; xy = 0.02
    const glm::dvec2 p = distort({.k1 = 0.1, .k2 = 0.2, .p1 = 0.01, .p2 = 0.02}, {0.1, 0.2});
    EXPECT_NEAR(p.x, 0.1 * 1.0055 + 2 * 0.01 * 0.02 + 0.02 * (0.05 + 2 * 0.01), 1e-15);
    EXPECT_NEAR(p.y, 0.2 * 1.0055 + 2 * 0.02 * 0.02 + 0.01 * (0.05 + 2 * 0.04), 1e-15);
}

TEST(Undistort, InvertsTheForwardModel) {
    for (const Distortion& distortion : {kFox, kBarrel, kPincushion, Distortion{}}) {
        for (double y = -0.8; y <= 0.8; y += 0.05) {
            for (double x = -0.8; x <= 0.8; x += 0.05) {
                const auto back = undistort(distortion, distort(distortion, {x, y}));
                ASSERT_TRUE(back.has_value()) << x << " " << y;
                EXPECT_NEAR(back->x, x, 1e-12);
                EXPECT_NEAR(back->y, y, 1e-12);
            }
        }
    }
}

TEST(Undistort, HasNoAnswerBeyondTheFold) {
    // x (1 - x^2) reaches at most 0.385 and then turns back.
    EXPECT_FALSE(undistort({.k1 = -1}, {0.5, 0}).has_value());
    EXPECT_TRUE(undistort({.k1 = -1}, {0.3, 0}).has_value());
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
        EXPECT_EQ(after.fx, before.fx);
        EXPECT_EQ(after.fy, before.fy);
        EXPECT_NEAR(after.cx / after.width, before.cx / before.width, 1e-12);
        double outside = 0, slack = 1e9;
        const auto visit = [&](double x, double y) {
            const glm::dvec2 p = distort(distortion, {(x - after.cx) / after.fx, (y - after.cy) / after.fy});
            const double px = p.x * before.fx + before.cx, py = p.y * before.fy + before.cy;
            const double margin = std::min({px, 640 - px, py, 480 - py});
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
    const Distortion distortion{.k1 = 0.1};
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
    expectInputError([] { undistortedCamera(camera(640, 480, 300), {.k1 = -5}); }, {"k1 -5", "640x480"});
}

/// A picture whose value is a linear function of the straight pixel's place: projecting it through the lens and back must give it again.
TEST(UndistortImage, UndoesTheForwardModel) {
    const Camera before = camera(160, 120, 130);
    for (const Distortion& distortion : {kFox, kBarrel, kPincushion}) {
        const Camera after = undistortedCamera(before, distortion);
        ImageF photograph(before.width, before.height, 3);
        for (int y = 0; y < before.height; ++y) {
            for (int x = 0; x < before.width; ++x) {
                const glm::dvec2 plane =
                    undistort(distortion, {(x + 0.5 - before.cx) / before.fx, (y + 0.5 - before.cy) / before.fy}).value();
                const auto pixel = photograph.at(x, y);
                pixel[0] = static_cast<float>(plane.x * after.fx + after.cx);
                pixel[1] = static_cast<float>(plane.y * after.fy + after.cy);
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

}  // namespace
}  // namespace splat
