#include <splatwright/train/session/initialise.h>

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "../scene/scratch.h"

namespace splat {
namespace {

Point point(float x, std::array<uint8_t, 3> colour = {255, 0, 51}) { return {.position = {x, 0, 0}, .colour = colour}; }

float sigmaOf(const Gaussians& gaussians, size_t i) { return std::exp(gaussians.logScales[i].x); }

TrainSettings startOf(const InitialisationSettings& initialisation, uint32_t shDegree = 3) {
    TrainSettings settings;
    static_cast<InitialisationSettings&>(settings) = initialisation;
    settings.shDegree = shDegree;
    return settings;
}

TEST(Initialise, PointsBecomeGaussiansOfTheirColourAndPlace) {
    const Gaussians g = initialGaussians(startOf({.initOpacity = 0.25}, 2), {point(0), point(1), point(2), point(3)});
    ASSERT_EQ(g.count(), 4u);
    EXPECT_EQ(g.shDegree, 2);
    EXPECT_EQ(g.means[3], glm::vec3(3, 0, 0));
    EXPECT_EQ(g.rotations[3], glm::vec4(1, 0, 0, 0));
    EXPECT_NEAR(1 / (1 + std::exp(-g.logitOpacities[3])), 0.25, 1e-6);
    const glm::vec3 colour = 0.5f + 0.28209479f * g.sh[3 * 9];
    EXPECT_LT(glm::distance(colour, glm::vec3(1, 0, 0.2f)), 1e-5f);
    for (size_t k = 1; k < 9; ++k) EXPECT_EQ(g.sh[3 * 9 + k], glm::vec3(0));
}

TEST(Initialise, SizeIsTheRootMeanSquareDistanceToTheThreeNearest) {
    const std::vector<Point> points{point(0), point(1), point(3), point(7), point(100)};
    EXPECT_NEAR(sigmaOf(initialGaussians({}, points), 0), std::sqrt((1.0 + 9.0 + 49.0) / 3), 1e-5);
    EXPECT_NEAR(sigmaOf(initialGaussians(startOf({.initScale = 0.5}), points), 0), 0.5 * std::sqrt((1.0 + 9.0 + 49.0) / 3), 1e-5);
}

TEST(Initialise, CopiesOfOnePointStillHaveASize) {
    const Gaussians g = initialGaussians({}, std::vector<Point>(10, point(1)));
    for (size_t i = 0; i < g.count(); ++i) EXPECT_NEAR(sigmaOf(g, i), std::sqrt(1e-7), 1e-6);
}

TEST(Initialise, FewPointsAndNoScaleStayFinite) {
    for (const size_t count : {size_t{1}, size_t{2}, size_t{3}}) {
        const Gaussians g = initialGaussians(startOf({.initScale = 0}), std::vector<Point>(count, point(1)));
        for (size_t i = 0; i < count; ++i) EXPECT_TRUE(std::isfinite(g.logScales[i].x)) << count;
    }
}

TEST(Initialise, RandomStartFillsItsCubeAndDependsOnTheSeedAlone) {
    TrainSettings settings = startOf({.init = "random", .initCount = 2000, .initExtent = 2});
    settings.seed = 5;
    const Gaussians g = initialGaussians(settings, {point(0)});
    ASSERT_EQ(g.count(), 2000u);
    glm::vec3 low(9), high(-9);
    for (const glm::vec3& mean : g.means) {
        low = glm::min(low, mean);
        high = glm::max(high, mean);
    }
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(low[axis], -2, 0.05);
        EXPECT_NEAR(high[axis], 2, 0.05);
    }
    EXPECT_EQ(initialGaussians(settings, {}).means, g.means);
    TrainSettings other = settings;
    other.seed = 6;
    EXPECT_NE(initialGaussians(other, {}).means, g.means);
}

TEST(Initialise, NoPointsMeanARandomStart) { EXPECT_EQ(initialGaussians(startOf({.init = "sfm", .initCount = 10}), {}).count(), 10u); }

TEST(Initialise, AStartIsANameOrAFile) {
    const test::Scratch scratch;
    for (const std::string& init : {std::string("sfm"), std::string("random"), scratch.write("a.ply", "").string()})
        EXPECT_NO_THROW(checkInit(startOf({.init = init}))) << init;
    EXPECT_THROW(checkInit(startOf({.init = "magic"})), InputError);
    EXPECT_THROW(gaussiansOfFile(startOf({.init = "magic"})), InputError);
}

}  // namespace
}  // namespace splat
