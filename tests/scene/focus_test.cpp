#include <splatwright/scene/cameras/focus.h>

#include <vector>

#include <gtest/gtest.h>
#include <glm/gtc/matrix_transform.hpp>

namespace splat {
namespace {

/// A camera at a place, looking at a point (y down, as COLMAP has it).
Camera lookingAt(const glm::dvec3& place, const glm::dvec3& point) {
    const glm::dvec3 forward = glm::normalize(point - place);
    const glm::dvec3 right = glm::normalize(glm::cross(glm::dvec3(0, 1, 0.01), forward));
    const glm::dvec3 down = glm::cross(forward, right);
    Camera camera;
    camera.rotation = glm::transpose(glm::dmat3(right, down, forward));
    camera.translation = -camera.rotation * place;
    return camera;
}

TEST(Focus, IsWhereTheOpticalAxesMeet) {
    const glm::dvec3 target(1, -2, 3);
    std::vector<Camera> cameras;
    for (const glm::dvec3 from : {glm::dvec3(5, 0, 0), glm::dvec3(0, 1, 6), glm::dvec3(-4, -3, -1)})
        cameras.push_back(lookingAt(target + from, target));
    const Focus focus = focusOf(cameras);
    EXPECT_NEAR(glm::distance(focus.point, target), 0, 1e-9);
    EXPECT_NEAR(focus.distance, (5 + std::sqrt(37.0) + std::sqrt(26.0)) / 3, 1e-9);
}

TEST(Focus, OfCamerasThatLookOutwardIsAmongThem) {
    std::vector<Camera> cameras;
    for (const glm::dvec3 at : {glm::dvec3(1, 0, 0), glm::dvec3(-1, 0, 0), glm::dvec3(0, 0, 1), glm::dvec3(0, 0, -1)})
        cameras.push_back(lookingAt(at, 3.0 * at));
    const Focus focus = focusOf(cameras);
    EXPECT_NEAR(glm::length(focus.point), 0, 1e-9);
    EXPECT_NEAR(focus.distance, 1, 1e-9);
}

TEST(Focus, OfOneCameraIsTheCamera) {
    const Focus focus = focusOf(std::vector{lookingAt({2, 0, 0}, {0, 0, 0})});
    EXPECT_NEAR(focus.point.x, 2, 1e-9);
    EXPECT_EQ(focus.distance, 1);
}

}  // namespace
}  // namespace splat
