#include <splatwright/scene/cameras/lens.h>

#include <cmath>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>

#include <splatwright/scene/datasets/panorama.h>
#include "lens_samples.h"

namespace splat {
namespace {

using namespace test;
using glm::dvec2;
using glm::dvec3;

constexpr double kPi = std::numbers::pi;

const Camera kCamera{.width = 640, .height = 480, .fx = 210, .fy = 220, .cx = 310, .cy = 250};

dvec3 rayAt(double angle, double around) {
    return {std::sin(angle) * std::cos(around), std::sin(angle) * std::sin(around), std::cos(angle)};
}

double power(double base, int exponent) { return std::pow(base, exponent); }

/// Sum of the factors times r^2, r^4 and so on.
double series(double r, const std::vector<double>& factors) {
    double sum = 0;
    for (size_t i = 0; i < factors.size(); ++i) sum += factors[i] * power(r, 2 * (static_cast<int>(i) + 1));
    return sum;
}

/// COLMAP's models in another form, by the radius and the angle around the axis instead of coordinates where it is possible.
dvec2 reference(const std::string& model, const std::vector<double>& k, const dvec3& ray) {
    const double side = std::hypot(ray.x, ray.y);
    const dvec2 towards(ray.x / side, ray.y / side);
    const double r = side / ray.z, theta = std::acos(ray.z / glm::length(ray));
    const auto along = [&](double radius) { return radius * towards; };
    const auto shifted = [&](double radius, double factor, double p1, double p2) {
        const double x = radius * towards.x, y = radius * towards.y;
        return dvec2(x * factor + 2 * p1 * x * y + p2 * (3 * x * x + y * y), y * factor + 2 * p2 * x * y + p1 * (x * x + 3 * y * y));
    };
    if (model == "SIMPLE_RADIAL" || model == "RADIAL") return along(r * (1 + series(r, k)));
    if (model == "OPENCV") return shifted(r, 1 + series(r, {k[0], k[1]}), k[2], k[3]);
    if (model == "FULL_OPENCV") return shifted(r, (1 + series(r, {k[0], k[1], k[4]})) / (1 + series(r, {k[5], k[6], k[7]})), k[2], k[3]);
    if (model == "FOV") return along(std::atan(2 * r * std::tan(k[0] / 2)) / k[0]);
    if (model == "SIMPLE_RADIAL_FISHEYE" || model == "RADIAL_FISHEYE" || model == "OPENCV_FISHEYE")
        return along(theta * (1 + series(theta, k)));
    if (model == "SIMPLE_FISHEYE" || model == "FISHEYE") return along(theta);
    if (model == "THIN_PRISM_FISHEYE") {
        const dvec2 prism(k[6] * theta * theta, k[7] * theta * theta);
        return shifted(theta, 1 + series(theta, {k[0], k[1], k[4], k[5]}), k[2], k[3]) + prism;
    }
    if (model == "RAD_TAN_THIN_PRISM_FISHEYE") {
        const double d = theta * (1 + series(theta, {k[0], k[1], k[2], k[3], k[4], k[5]}));
        return shifted(d, 1, k[7], k[6]) + dvec2(k[8] * d * d + k[9] * power(d, 4), k[10] * d * d + k[11] * power(d, 4));
    }
    if (model == "SIMPLE_DIVISION" || model == "DIVISION") return along((1 - std::sqrt(1 - 4 * k[0] * r * r)) / (2 * k[0] * r));
    if (model == "EUCM") return along(side / (k[0] * std::sqrt(k[1] * side * side + ray.z * ray.z) + (1 - k[0]) * ray.z));
    return along(r);
}

class Lenses : public testing::TestWithParam<LensSample> {
protected:
    Lens lens() const { return {cameraOf(), GetParam().distortion()}; }
    static Camera cameraOf() { return GetParam().model == "EQUIRECTANGULAR" ? panoramaCamera(640, 320) : kCamera; }

    /// Rays from the axis outwards, and where they are seen.
    template <class Visit>
    void forEachRay(const Visit& visit) const {
        const Lens lens = this->lens();
        for (int i = 0; i < 24; ++i) {
            const double around = 2 * kPi * i / 24 + 0.1;
            for (int step = 0; step < 157; ++step) {  // to 3.13
                const dvec3 ray = rayAt(0.01 + 0.02 * step, around);
                visit(ray, lens.pixelOf(ray));
            }
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Models, Lenses, testing::ValuesIn(kLensSamples), [](const auto& each) { return each.param.model; });

TEST(LensModels, AreColmapsWithASampleEach) {
    for (size_t id = 0; id < kLensSamples.size(); ++id) {
        const LensModel* model = findLensModel(static_cast<int>(id));
        ASSERT_TRUE(model);
        EXPECT_EQ(model, findLensModel(model->name));
        EXPECT_EQ(model->name, kLensSamples[id].model);
        EXPECT_EQ(model->distortions(), kLensSamples[id].parameters.size());
    }
    EXPECT_FALSE(findLensModel(static_cast<int>(kLensSamples.size())));
    EXPECT_FALSE(findLensModel(-1));
    EXPECT_FALSE(findLensModel("pinhole"));
}

TEST_P(Lenses, AgreeWithTheFormulas) {
    if (GetParam().model == "EQUIRECTANGULAR") return;
    size_t seen = 0;
    forEachRay([&](const dvec3& ray, const std::optional<dvec2>& pixel) {
        if (!pixel) return;
        const dvec2 expected = reference(GetParam().model, GetParam().parameters, 3.0 * ray);
        EXPECT_NEAR(pixel->x, kCamera.fx * expected.x + kCamera.cx, 1e-8 * (1 + std::abs(pixel->x)));
        EXPECT_NEAR(pixel->y, kCamera.fy * expected.y + kCamera.cy, 1e-8 * (1 + std::abs(pixel->y)));
        ++seen;
    });
    EXPECT_GT(seen, 24 * 25u);
}

TEST_P(Lenses, FindTheRayOfEveryPixelThatTheySee) {
    const Lens lens = this->lens();
    forEachRay([&](const dvec3& ray, const std::optional<dvec2>& pixel) {
        if (!pixel) return;
        const auto back = lens.rayOf(*pixel);
        ASSERT_TRUE(back) << pixel->x << " " << pixel->y;
        // Near a fold, pixels hardly move with the ray.
        const auto again = lens.pixelOf(*back);
        ASSERT_TRUE(again);
        EXPECT_LT(glm::distance(*again, *pixel), 1e-6);
        EXPECT_LT(glm::distance(*back, ray), 1e-4);
    });
}

/// No two rays share a pixel: along a direction, pixels go outwards, and the last one seen is followed by none.
TEST_P(Lenses, SeeARangeFromTheAxisOutwards) {
    if (GetParam().model == "EQUIRECTANGULAR") return;
    double farthest = 0, lastAngle = 0;
    bool open = true;
    forEachRay([&](const dvec3& ray, const std::optional<dvec2>& pixel) {
        const double angle = std::acos(ray.z);
        if (angle < lastAngle) farthest = 0, open = true;
        lastAngle = angle;
        if (!pixel) return void(open = false);
        EXPECT_TRUE(open) << angle;
        const double distance = std::hypot((pixel->x - kCamera.cx) / kCamera.fx, (pixel->y - kCamera.cy) / kCamera.fy);
        EXPECT_GT(distance, farthest) << angle;
        farthest = distance;
    });
}

TEST_P(Lenses, SeeTheRayOfEveryPixelThatHasOne) {
    const Lens lens = this->lens();
    size_t found = 0;
    for (int y = -100; y <= 600; y += 7) {
        for (int x = -100; x <= 800; x += 7) {
            const auto ray = lens.rayOf(dvec2(x, y));
            if (!ray) continue;
            EXPECT_NEAR(glm::length(*ray), 1, 1e-12);
            const auto pixel = lens.pixelOf(*ray);
            const bool around = GetParam().model == "EQUIRECTANGULAR";  // longitude counts from -180 to 180 degrees
            ASSERT_TRUE(pixel) << x << " " << y;
            EXPECT_NEAR(around ? std::remainder(pixel->x - x, 640) : pixel->x - x, 0, 1e-6);
            EXPECT_NEAR(pixel->y, y, 1e-6);
            ++found;
        }
    }
    EXPECT_GT(found, 1000u);
}

TEST(Lens, EndsWhereItsDistortionFoldsBack) {
    // x (1 - x^2) goes outwards up to x = 1 / sqrt(3), where it is 0.385.
    const Camera camera{.width = 2, .height = 2, .fx = 1, .fy = 1, .cx = 0, .cy = 0};
    const Lens lens(camera, opencv({-1}));
    EXPECT_TRUE(lens.pixelOf({0.577, 0, 1}));
    EXPECT_FALSE(lens.pixelOf({0.5775, 0, 1}));
    EXPECT_FALSE(lens.pixelOf({3, 0, 1}));
    EXPECT_TRUE(lens.rayOf({0.3848, 0}));
    EXPECT_FALSE(lens.rayOf({0.386, 0}));
    EXPECT_FALSE(lens.rayOf({-0.3, 0.3}));
    // It turns outwards again at x = 1.3, where it is no lens any more.
    const Lens wavy(camera, opencv({-1, 0.25}));
    EXPECT_FALSE(wavy.pixelOf({1.6, 0, 1}));
    EXPECT_FALSE(wavy.rayOf({1, 0}));
}

TEST(Lens, OfALongFocalLengthFoldsWhereItsLargeParametersSay) {
    const Camera camera{.width = 4000, .height = 3000, .fx = 4e5, .fy = 4e5, .cx = 2000, .cy = 1500};  // corners at 0.00625
    const double fold = 0.007, k1 = -1 / (3 * fold * fold);
    const Lens lens(camera, opencv({k1}));
    EXPECT_TRUE(lens.pixelOf({0.999 * fold, 0, 1}));
    EXPECT_FALSE(lens.pixelOf({1.001 * fold, 0, 1}));
}

TEST(Lens, PerspectiveOnesSeeNothingBehindThem) {
    const Lens pinhole(kCamera);
    EXPECT_EQ(pinhole.pixelOf({0, 0, 2}), dvec2(310, 250));
    EXPECT_FALSE(pinhole.pixelOf({0.1, 0, -1}));
    EXPECT_FALSE(pinhole.pixelOf({1, 0, 0}));
}

TEST(Lens, FisheyesSeeBehindThem) {
    const Lens lens(kCamera, distortionOf(*findLensModel("FISHEYE"), {}));
    const auto pixel = lens.pixelOf({0, 1, -1});  // 135 degrees from the axis
    ASSERT_TRUE(pixel);
    EXPECT_NEAR(pixel->x, 310, 1e-9);
    EXPECT_NEAR(pixel->y, 250 + 220 * 0.75 * kPi, 1e-9);
    EXPECT_NEAR(lens.rayOf(*pixel)->z, -std::sqrt(0.5), 1e-12);
    EXPECT_FALSE(lens.rayOf({310, 250 + 220 * 3.2}));
    EXPECT_EQ(lens.pixelOf({0, 0, 1}), dvec2(310, 250));
}

TEST(Lens, PanoramasCountLongitudeToTheRightAndLatitudeDown) {
    const Lens lens(panoramaCamera(400, 200), distortionOf(*findLensModel("EQUIRECTANGULAR"), {}));
    const auto expect = [&](const dvec3& ray, dvec2 pixel) { EXPECT_LT(glm::distance(lens.pixelOf(ray).value(), pixel), 1e-9); };
    expect({0, 0, 1}, {200, 100});
    expect({1, 0, 0}, {300, 100});
    expect({-2, 0, 0}, {100, 100});
    expect({0.5, 0, -0.5}, {350, 100});
    expect({0, -1, 1}, {200, 50});
    EXPECT_NEAR(lens.pixelOf({0, -1, 0})->y, 0, 1e-9);
    EXPECT_NEAR(lens.pixelOf({0, 1, 0})->y, 200, 1e-9);
    EXPECT_FALSE(lens.rayOf({200, 200.1}));
}

}  // namespace
}  // namespace splat
