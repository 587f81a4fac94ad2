// Lines, the orientation cube and measuring: what is computed without a picture.
#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "viewer/scene/frusta.h"
#include "viewer/scene/measuring.h"
#include "viewer/scene/navigator.h"
#include "viewer/scene/orientation_cube.h"
#include "viewer/scene/scene_aids.h"

namespace splat::app {
namespace {

Camera frontCamera() { return {200, 100, 100, 100, 100, 50}; }

TEST(Segments, InFrontOfTheCameraAreWhole) {
    const auto seen = segmentOnPicture(frontCamera(), {0, 0, 1}, {1, 0, 2});
    ASSERT_TRUE(seen);
    EXPECT_LT(glm::distance(seen->first, glm::dvec2(100, 50)), 1e-9);
    EXPECT_LT(glm::distance(seen->second, glm::dvec2(150, 50)), 1e-9);
}

TEST(Segments, AreCutInFrontOfTheCameraAtEitherEnd) {
    const glm::dvec3 behind(1, 0, -1), front(1, 0, 2);
    const auto seen = segmentOnPicture(frontCamera(), behind, front), back = segmentOnPicture(frontCamera(), front, behind);
    ASSERT_TRUE(seen && back);
    EXPECT_LT(glm::distance(seen->second, glm::dvec2(150, 50)), 1e-9) << "the end in front stays";
    EXPECT_GT(seen->first.x, 1e4) << "the other is far to the right";
    EXPECT_NEAR(seen->first.y, 50, 1e-9) << "on the same line";
    EXPECT_LT(glm::distance(seen->first, back->second), 1e-9);
    EXPECT_FALSE(segmentOnPicture(frontCamera(), {0, 0, -1}, {5, 0, -2}));
}

TEST(Grid, HasSquaresOfPowersOfTen) {
    EXPECT_DOUBLE_EQ(gridStep(5), 1);
    EXPECT_DOUBLE_EQ(gridStep(10), 10);
    EXPECT_DOUBLE_EQ(gridStep(0.05), 0.01);
}

/// From each side, the middle of the cube is the face of that side, as the camera that looks from there has it.
TEST(OrientationCube, ShowsTheSideFromWhichTheCameraLooks) {
    for (const CubeFace& face : cubeFaces()) {
        Navigator navigator;
        navigator.look(7.0 * face.normal, {0, 0, 0});
        const CubeFace* seen = cubeFaceAt(navigator.camera({100, 100}).rotation, {0, 0});
        ASSERT_TRUE(seen);
        EXPECT_EQ(seen->name, face.name);
    }
    EXPECT_THROW(cubeFaceByName("w"), InputError);
}

TEST(OrientationCube, HasItsFacesWhereTheAxesPointInTheView) {
    Navigator navigator;  // up is -y
    navigator.look({3, -2, -4}, {0, 0, 0});
    const glm::dmat3 rotation = navigator.camera({100, 100}).rotation;
    for (const char* name : {"x", "-y", "-z"}) {
        const CubeFace& face = cubeFaceByName(name);
        const CubeFace* seen = cubeFaceAt(rotation, glm::dvec2(rotation * face.normal));
        ASSERT_TRUE(seen);
        EXPECT_EQ(seen->name, name);
    }
    EXPECT_LT((rotation * cubeFaceByName("-y").normal).y, 0) << "the upper side is above";
    EXPECT_FALSE(cubeFaceAt(rotation, {1.8, 0})) << "beside the cube";
}

TEST(Measured, DistanceIsThatOfTwoPointsAndAThirdBeginsAnew) {
    Measuring measuring;
    measuring.add({1, 2, 3});
    EXPECT_FALSE(measuring.distance());
    measuring.add({1, 5, 7});
    EXPECT_DOUBLE_EQ(measuring.distance().value(), 5);
    measuring.add({0, 0, 0});
    EXPECT_EQ(measuring.points().size(), 1u);
}

/// The points belong to the model: both are where its points are afterwards.
TEST(Measured, DistanceHasTheKnownLengthAfterTheModelIsScaled) {
    ModelTransform model;
    model.translation = {0.5, -1, 2};
    model.rotation = glm::dquat(glm::dvec3(0.3, -0.8, 0.2));
    model.scale = 2;
    const glm::dvec3 a(0.1, 0.4, -0.2), b(1, 0.3, 0.9);  // in the model's frame
    Measuring measuring;
    measuring.add(transformed(a, model));
    measuring.add(transformed(b, model));
    const ModelTransform after = measuring.scaleTo(12, model);
    EXPECT_NEAR(glm::distance(transformed(a, after), transformed(b, after)), 12, 1e-9);
    EXPECT_LT(glm::distance(transformed(a, after), transformed(a, model)), 1e-9) << "the first point stays";
    EXPECT_LT(glm::distance(measuring.points()[1], transformed(b, after)), 1e-9);
    EXPECT_THROW(measuring.scaleTo(1e9, model), InputError) << "larger than a model may be";
    measuring.clear();
    EXPECT_THROW(measuring.scaleTo(1, model), InputError);
}

}  // namespace
}  // namespace splat::app
