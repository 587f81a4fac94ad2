#include "viewer/scene/frusta.h"

#include <gtest/gtest.h>

namespace splat::app {
namespace {

/// At a place on the z axis; forward or turned back.
Camera cameraAt(double x, double z, bool back = false) {
    Camera c;
    c.width = 200;
    c.height = 100;
    c.fx = c.fy = 100;
    c.cx = 100;
    c.cy = 50;
    c.rotation = back ? glm::dmat3(-1, 0, 0, 0, 1, 0, 0, 0, -1) : glm::dmat3(1);
    c.translation = -(c.rotation * glm::dvec3(x, 0, z));
    return c;
}

TEST(Frusta, CornersLieAsThePhotographHasThem) {
    const auto frusta = frustaOf(std::vector{cameraAt(0, 9)}, cameraAt(0, 0), 1);
    ASSERT_EQ(frusta.size(), 1u);
    EXPECT_EQ(frusta[0].tip, glm::dvec2(100, 50));
    // The far side at depth 10 is 2 wide and 1 high.
    EXPECT_LT(glm::distance(frusta[0].corners[0], glm::dvec2(90, 45)), 1e-9);
    EXPECT_LT(glm::distance(frusta[0].corners[1], glm::dvec2(110, 45)), 1e-9);
    EXPECT_LT(glm::distance(frusta[0].corners[2], glm::dvec2(110, 55)), 1e-9);
    EXPECT_LT(glm::distance(frusta[0].corners[3], glm::dvec2(90, 55)), 1e-9);
    EXPECT_NEAR(frusta[0].distance, 10, 1e-9);
}

TEST(Frusta, TheNearestUnderAPixelIsFound) {
    const auto frusta = frustaOf(std::vector{cameraAt(0, 3), cameraAt(0, 9), cameraAt(20, 9)}, cameraAt(0, 0), 1);
    ASSERT_EQ(frusta.size(), 3u);
    EXPECT_EQ(frusta.back().view, 0u);
    EXPECT_EQ(viewUnder(frusta, {100, 50}), 0u);
    EXPECT_EQ(viewUnder(frusta, {300, 50}), 2u);
    EXPECT_FALSE(viewUnder(frusta, {100, 5}));
    EXPECT_FALSE(viewUnder({}, {100, 50}));
}

TEST(Frusta, OneSeenFromInFrontIsFoundAsWell) {
    const auto frusta = frustaOf(std::vector{cameraAt(0, 9, true)}, cameraAt(0, 0), 1);
    ASSERT_EQ(frusta.size(), 1u);
    EXPECT_GT(frusta[0].corners[0].x, frusta[0].corners[1].x);  // mirrored, as photographs are from their backs
    EXPECT_EQ(viewUnder(frusta, {100, 50}), 0u);
}

TEST(Frusta, WhatReachesBehindTheCameraIsLeftOut) {
    EXPECT_TRUE(frustaOf(std::vector{cameraAt(0, -5), cameraAt(0, -0.5), cameraAt(0, 0.5, true)}, cameraAt(0, 0), 1).empty());
}

}  // namespace
}  // namespace splat::app
