// How photographs differ in colour from the points that they show, and from each other.
#include <splatwright/scene/photographs/colour_variation.h>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/scene/photographs/colour_offset.h>

namespace splat {
namespace {

constexpr int kWidth = 128, kHeight = 96, kCell = 2;  // pixels; cells of 1/64 of the width

/// A wall of patches of 6x6 pixels before a camera, each with a point in its middle.
struct Wall {
    Camera camera{.width = kWidth, .height = kHeight, .fx = 100, .fy = 110, .cx = 64, .cy = 48};
    std::vector<Point> points;

    explicit Wall(uint64_t seed = 1) {
        Rng rng(seed);
        for (int y = 3; y < kHeight; y += 6)
            for (int x = 3; x < kWidth; x += 6) points.push_back({at(x, y, 2), randomColour(rng)});
    }
    static std::array<uint8_t, 3> randomColour(Rng& rng) {
        const auto channel = [&] { return static_cast<uint8_t>(rng.uniform(60, 150)); };
        const uint8_t red = channel(), green = channel();
        return {red, green, channel()};
    }
    glm::vec3 at(double x, double y, double depth) const {
        return {depth * (x - camera.cx) / camera.fx, depth * (y - camera.cy) / camera.fy, depth};
    }
    /// As the camera sees the wall, times a gain per channel.
    Photograph photograph(glm::dvec3 gain) const {
        Photograph seen{.name = "wall", .camera = camera, .image = Image8(kWidth, kHeight, 3)};
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const size_t patch = static_cast<size_t>(y / 6 * ((kWidth + 2) / 6) + std::min(x / 6, (kWidth + 2) / 6 - 1));
                for (int k = 0; k < 3; ++k) {
                    const double colour = gain[k] * points[patch].colour[static_cast<size_t>(k)];
                    seen.image.at(x, y)[static_cast<size_t>(k)] = static_cast<uint8_t>(std::clamp(std::lround(colour), 0L, 255L));
                }
            }
        return seen;
    }
};

void expectOffset(const std::optional<ColourOffset>& found, glm::dvec3 gain, double tolerance) {
    ASSERT_TRUE(found);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found->logRatio[k], std::log(gain[k]), tolerance) << k;
}

TEST(ColourOffset, IsTheGainOfThePhotograph) {
    const Wall wall;
    for (const glm::dvec3 gain : {glm::dvec3(1.2, 1.1, 0.9), glm::dvec3(0.6, 0.7, 1.4)}) {
        const auto found = colourOffset(wall.photograph(gain), wall.points);
        expectOffset(found, gain, 0.003);  // colours are rounded to 1/100 of themselves
        EXPECT_LT(std::sqrt(found->variance), 0.002);
    }
}

TEST(ColourOffset, OfEqualColoursIsZero) {
    const Wall wall;
    const auto found = colourOffset(wall.photograph({1, 1, 1}), wall.points);
    expectOffset(found, {1, 1, 1}, 0);
    EXPECT_EQ(found->variance, 0);
}

TEST(ColourOffset, DoesNotCountPointsBehindOthersOrBehindTheCamera) {
    const Wall wall;
    Rng rng(2);
    std::vector<Point> points;
    for (const Point& point : wall.points) {  // hidden ones before and after those that hide them
        points.push_back({1.5f * point.position, Wall::randomColour(rng)});
        points.push_back(point);
        points.push_back({2.0f * point.position, Wall::randomColour(rng)});
        points.push_back({-point.position, Wall::randomColour(rng)});
    }
    expectOffset(colourOffset(wall.photograph({1.2, 1.1, 0.9}), points), {1.2, 1.1, 0.9}, 0.003);
}

/// Two thirds of the picture have other colours.
TEST(ColourOffset, LeavesOutWhatIsMaskedOrTransparent) {
    const Wall wall;
    for (const Coverage covers : {Coverage::mask, Coverage::alpha}) {
        Photograph photograph = wall.photograph({1.2, 1.1, 0.9});
        photograph.covers = covers;
        photograph.coverage = Image8(kWidth, kHeight, 1);
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                photograph.coverage.at(x, y)[0] = y < 33 ? 255 : 254;
                if (y >= 33) std::ranges::fill(photograph.image.at(x, y), uint8_t{200});
            }
        expectOffset(colourOffset(photograph, wall.points), {1.2, 1.1, 0.9}, 0.003);
        std::ranges::fill(photograph.coverage.pixels, uint8_t{254});
        EXPECT_FALSE(colourOffset(photograph, wall.points));
    }
}

TEST(ColourOffset, LeavesOutWhatIsTooDarkOrTooBright) {
    const Wall wall;
    for (const uint8_t extreme : {uint8_t{5}, uint8_t{250}}) {
        Photograph photograph = wall.photograph({1.2, 1.1, 0.9});
        for (int y = 36; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) photograph.image.at(x, y)[0] = extreme;
        expectOffset(colourOffset(photograph, wall.points), {1.2, 1.1, 0.9}, 0.003);
        Wall extremes = wall;
        for (Point& point : extremes.points) point.colour[1] = extreme;
        EXPECT_FALSE(colourOffset(wall.photograph({1, 1, 1}), extremes.points));
    }
}

TEST(ColourOffset, IsUncertainWherePartsOfThePictureDisagree) {
    const Wall wall;
    Photograph photograph = wall.photograph({1, 1, 1});
    const Photograph brighter = wall.photograph({1.4, 1.4, 1.4});
    for (int y = 0; y < kHeight; ++y)
        for (int x = kWidth / 2; x < kWidth; ++x) std::ranges::copy(brighter.image.at(x, y), photograph.image.at(x, y).begin());
    const auto found = colourOffset(photograph, wall.points);
    ASSERT_TRUE(found);
    // Of 16 parts half have log(1.4).
    EXPECT_NEAR(found->variance, std::pow(std::log(1.4) / 2, 2) / 15, 2e-4);
}

TEST(ColourOffset, NeedsPointsInSeveralPartsOfThePicture) {
    const Wall wall;
    const Photograph photograph = wall.photograph({1.2, 1.1, 0.9});
    std::vector<Point> few(wall.points.begin(), wall.points.begin() + 29), corner;
    EXPECT_FALSE(colourOffset(photograph, few));
    EXPECT_FALSE(colourOffset(photograph, {}));
    for (int y = 1; y < 23; y += kCell)
        for (int x = 1; x < 60; x += kCell) corner.push_back({wall.at(x, y, 2), {100, 100, 100}});
    EXPECT_GT(corner.size(), 200u);
    EXPECT_FALSE(colourOffset(photograph, corner)) << "two parts";
}

/// By cameras in a row, so close together that all see the same.
std::vector<Photograph> photographsOf(const Wall& wall, const std::vector<double>& gains) {
    std::vector<Photograph> all;
    for (size_t i = 0; i < gains.size(); ++i) {
        all.push_back(wall.photograph(glm::dvec3(gains[i])));
        all.back().camera.translation.z = 1e-4 * static_cast<double>(i);
    }
    return all;
}

std::vector<double> gainsOf(size_t count, const std::function<double(size_t)>& logarithm) {
    std::vector<double> gains;
    for (size_t i = 0; i < count; ++i) gains.push_back(std::exp(logarithm(i)));
    return gains;
}

double differenceOf(const std::vector<double>& gains) {
    const Wall wall;
    const ColourVariation found = colourVariation(photographsOf(wall, gains), wall.points);
    EXPECT_EQ(found.photographs, gains.size());
    return found.difference.value_or(-1);
}

TEST(ColourVariation, OfPhotographsWithTheSameColoursIsZero) {
    EXPECT_EQ(differenceOf(gainsOf(12, [](size_t) { return 0; })), 0);
    EXPECT_NEAR(differenceOf(gainsOf(12, [](size_t) { return 0.2; })), 0, 1e-3) << "all are brighter than the points";
}

TEST(ColourVariation, IsTheDeviationFromShotToShot) {
    Rng rng(3);
    std::vector<double> logarithms;
    double squares = 0;
    for (int i = 0; i < 60; ++i) {
        logarithms.push_back(rng.uniform(-0.17, 0.17));
        squares += logarithms.back() * logarithms.back() / 60;
    }
    const double found = differenceOf(gainsOf(60, [&](size_t i) { return logarithms[i]; })), expected = std::sqrt(squares);
    EXPECT_GT(found, 0.75 * expected) << "without the tenth that differs most";
    EXPECT_LT(found, 1.05 * expected);
}

TEST(ColourVariation, IsNotWhatFollowsTheCamera) {
    const auto smooth = [](size_t i) { return 0.14 * std::sin(2 * std::numbers::pi * static_cast<double>(i) / 60); };
    EXPECT_LT(differenceOf(gainsOf(60, smooth)), 0.015);  // a deviation of 0.1
}

TEST(ColourVariation, IsNotWhatAFewPhotographsWithOtherPosesHave) {
    const Wall wall, other(9);
    auto photographs = photographsOf(wall, gainsOf(20, [](size_t) { return 0; }));
    photographs[7].image = other.photograph({1.5, 1.5, 1.5}).image;
    const ColourVariation found = colourVariation(photographs, wall.points);
    EXPECT_EQ(found.photographs, 20u);
    EXPECT_LT(found.difference.value_or(1), 0.03) << "its offset of 0.4 alone is a root mean square of 0.09";
}

TEST(ColourVariation, NeedsTenPhotographsWithColouredPoints) {
    const Wall wall;
    auto photographs = photographsOf(wall, std::vector<double>(10, 1.0));
    EXPECT_TRUE(colourVariation(photographs, wall.points).difference);
    photographs[3].image = Image8(kWidth, kHeight, 3);  // black
    EXPECT_EQ(colourVariation(photographs, wall.points).photographs, 9u);
    EXPECT_FALSE(colourVariation(photographs, wall.points).difference);
    EXPECT_EQ(colourVariation(photographs, {}).photographs, 0u);
    Wall grey;
    for (Point& point : grey.points) point.colour = {128, 128, 128};
    EXPECT_EQ(colourVariation(photographsOf(wall, std::vector<double>(10, 1.0)), grey.points).photographs, 0u);
}

/// More than are compared: every second one.
TEST(ColourVariation, OfVeryManyPointsIsThatOfAnEvenPart) {
    const Wall wall;
    const auto photographs = photographsOf(wall, std::vector<double>(10, 1.0));
    std::vector<Point> points = wall.points;
    while (points.size() <= 100'000) points.push_back({{0, 0, -1}, {9, 9, 9}});  // behind the cameras
    const ColourVariation found = colourVariation(photographs, points);
    EXPECT_EQ(found.photographs, 10u);
    EXPECT_EQ(found.difference, 0);
}

}  // namespace
}  // namespace splat
