#include "viewer/scene/navigator.h"

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "viewer/scene/camera_path.h"
#include "viewer/scene/frusta.h"

namespace splat::app {
namespace {

void expectNear(const glm::dvec3& found, const glm::dvec3& expected, double tolerance = 1e-9) {
    EXPECT_LT(glm::distance(found, expected), tolerance) << found.x << ' ' << found.y << ' ' << found.z;
}

/// Where the camera sees a point, pixels.
glm::dvec2 seen(const Camera& camera, const glm::dvec3& point) { return onPicture(camera, point).value(); }

constexpr glm::uvec2 kSize{640, 480};

TEST(Navigator, TheTargetIsInTheMiddleAndUpIsUp) {
    for (const glm::dvec3 up : {glm::dvec3(0, -1, 0), glm::dvec3(0, 0, 1), glm::dvec3(1, 2, -3)}) {
        Navigator n(up);
        n.frame({.centre = {1, 2, 3}, .radius = 2});
        n.orbit(77, -12);
        const Camera camera = n.camera(kSize);
        EXPECT_LT(glm::distance(seen(camera, n.target()), glm::dvec2(320, 240)), 1e-9);
        const glm::dvec2 above = seen(camera, n.target() + 0.1 * glm::normalize(up));
        EXPECT_NEAR(above.x, 320, 1e-9);
        EXPECT_LT(above.y, 240);
        EXPECT_NEAR(glm::determinant(camera.rotation), 1, 1e-12);
    }
}

TEST(Navigator, AFramedBallIsWholeInThePicture) {
    Navigator n;
    n.frame({.centre = {0, 0, 0}, .radius = 3});
    const Camera camera = n.camera(kSize);
    const glm::dmat3 axes = glm::transpose(camera.rotation);
    for (const double side : {-3.0, 3.0}) {
        const glm::dvec2 edge = seen(camera, side * axes[1]);
        EXPECT_GT(edge.y, 0);
        EXPECT_LT(edge.y, 480);
    }
}

TEST(Navigator, WhatIsPannedFollowsThePointer) {
    Navigator n;
    n.frame({.centre = {1, 0, 0}, .radius = 1});
    const glm::dvec3 point = n.target();
    const glm::dvec2 before = seen(n.camera(kSize), point);
    n.pan(0.25, -0.125);  // of the picture's height
    const glm::dvec2 after = seen(n.camera(kSize), point);
    EXPECT_NEAR(after.x - before.x, 0.25 * 480, 1e-9);
    EXPECT_NEAR(after.y - before.y, -0.125 * 480, 1e-9);
}

TEST(Navigator, OrbitKeepsTheTargetAndLookKeepsTheEye) {
    Navigator n;
    n.frame({.centre = {4, 5, 6}, .radius = 2});
    const glm::dvec3 target = n.target();
    n.orbit(33, 44);
    expectNear(n.target(), target);
    const glm::dvec3 eye = n.eye();
    n.look(-20, 10);
    expectNear(n.eye(), eye);
}

TEST(Navigator, DraggingToTheRightTurnsTheNearSideToTheRight) {
    Navigator n;
    n.frame({.centre = {0, 0, 0}, .radius = 1});
    const glm::dvec3 nearSide = 0.2 * (n.eye() - n.target());
    const double before = seen(n.camera(kSize), nearSide).x;
    n.orbit(5, 0);
    EXPECT_GT(seen(n.camera(kSize), nearSide).x, before + 1);
}

TEST(Navigator, NeverTurnsOverThePoles) {
    const auto right = [](const Navigator& n) { return glm::transpose(n.camera(kSize).rotation)[0]; };
    for (const double turn : {120.0, -120.0, 1000.0, -5000.0}) {
        Navigator n;
        const glm::dvec3 before = right(n);
        n.orbit(0, turn);
        EXPECT_GT(glm::determinant(n.camera(kSize).rotation), 0.99);
        expectNear(right(n), before, 1e-9);
    }
}

TEST(Navigator, StandsWhereACameraStoodAndSeesTheSame) {
    Navigator first({0, 0, 1});
    first.frame({.centre = {1, 2, 3}, .radius = 2});
    first.orbit(123, 31);
    first.setFieldOfView(72);
    const Camera camera = first.camera(kSize);
    Navigator second({0, 0, 1});
    second.follow(camera);
    const Camera found = second.camera(kSize);
    expectNear(found.position(), camera.position(), 1e-6);
    EXPECT_NEAR(found.fx, camera.fx, 1e-6);
    for (int i = 0; i < 3; ++i) expectNear(found.rotation[i], camera.rotation[i], 1e-6);
}

TEST(Navigator, ADirectionOfNoLengthIsNotUp) { EXPECT_THROW(Navigator({0, 0, 0}), InputError); }

TEST(CameraPath, GoesThroughItsKeysAtEvenTimes) {
    CameraPath path;
    const std::vector<Pose> keys{
        {{0, 0, 0}, {0, 0, 1}, 40}, {{1, 2, 0}, {0, 1, 1}, 50}, {{5, 2, 1}, {0, 0, 3}, 60}, {{5, 0, 9}, {1, 1, 1}, 45}};
    for (const Pose& key : keys) path.add(key);
    for (size_t i = 0; i < keys.size(); ++i) {
        const Pose pose = path.at(CameraPath::kSeconds * static_cast<double>(i));
        expectNear(pose.eye, keys[i].eye, 1e-9);
        expectNear(pose.target, keys[i].target, 1e-9);
        EXPECT_NEAR(pose.fieldOfView, keys[i].fieldOfView, 1e-9);
    }
}

TEST(CameraPath, MovesWithoutJumpsOrKinks) {
    CameraPath path;
    for (int i = 0; i < 5; ++i) path.add({{i, i % 2, 0}, {0, 0, 5}, 50});
    constexpr int kSteps = 4000;
    glm::dvec3 last = path.at(0).eye, velocity(0);
    for (int i = 1; i <= kSteps; ++i) {
        const glm::dvec3 eye = path.at(path.seconds() * i / kSteps).eye;
        const glm::dvec3 now = (eye - last) * static_cast<double>(kSteps);
        EXPECT_LT(glm::length(now), 20);
        EXPECT_TRUE(i == 1 || glm::distance(now, velocity) < 0.2) << i;
        velocity = now;
        last = eye;
    }
}

/// Keys of other times: still through all of them, and without kinks where the pace changes.
TEST(CameraPath, KeepsItsTimes) {
    CameraPath path;
    path.set({{{{4, 0, 0}, {0, 0, 5}, 50}, 9}, {{{0, 0, 0}, {0, 0, 5}, 40}, 5}, {{{1, 1, 0}, {0, 0, 5}, 60}, 6}});
    ASSERT_EQ(path.keys().size(), 3u);
    EXPECT_EQ(path.keys()[1].time, 1);
    EXPECT_EQ(path.seconds(), 4);
    expectNear(path.at(1).eye, {1, 1, 0}, 1e-9);
    const auto velocity = [&](double time) { return (path.at(time + 1e-5).eye - path.at(time - 1e-5).eye) / 2e-5; };
    EXPECT_LT(glm::distance(velocity(1 - 1e-4), velocity(1 + 1e-4)), 1e-2);
    expectNear(path.at(-1).eye, {0, 0, 0}, 1e-12);
    expectNear(path.at(99).eye, {4, 0, 0}, 1e-12);
}

TEST(CameraPath, KeysAreMovedReplacedAndRemoved) {
    CameraPath path;
    for (int i = 0; i < 4; ++i) path.add({{i, 0, 0}, {0, 0, 5}, 50});
    const auto order = [&] {
        std::vector<std::pair<double, double>> found;
        for (const PathKey& key : path.keys()) found.emplace_back(key.pose.eye.x, key.time);
        return found;
    };
    using Order = std::vector<std::pair<double, double>>;
    EXPECT_EQ(path.move(1, 5), 2u);
    EXPECT_EQ(order(), (Order{{0, 0}, {2, 4}, {1, 5}, {3, 6}}));
    EXPECT_EQ(path.move(3, -1), 0u);
    EXPECT_EQ(order(), (Order{{3, 0}, {0, 1}, {2, 5}, {1, 6}}));
    path.remove(0);
    EXPECT_EQ(order(), (Order{{0, 0}, {2, 4}, {1, 5}}));
    path.retime(10);
    EXPECT_EQ(order(), (Order{{0, 0}, {2, 8}, {1, 10}}));
    path.setPose(1, {{7, 0, 0}, {0, 0, 5}, 50});
    EXPECT_EQ(path.keys()[1].pose.eye.x, 7);
    EXPECT_EQ(path.keys()[1].time, 8);
}

}  // namespace
}  // namespace splat::app
