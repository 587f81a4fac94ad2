#include <splatwright/scene/datasets/frame.h>

#include <cmath>

#include <gtest/gtest.h>
#include <glm/gtc/matrix_transform.hpp>

#include <splatwright/core/rng.h>

namespace splat {
namespace {

glm::dvec3 randomVector(Rng& rng, double size) { return size * glm::dvec3(rng.normal(), rng.normal(), rng.normal()); }

/// Cameras far from the origin, in units far from 1.
std::vector<View> someViews() {
    Rng rng(1);
    std::vector<View> views(5);
    for (View& view : views) {
        Camera& camera = view.camera;
        camera = {640, 480, 500, 510, 320, 240};
        camera.rotation = glm::dmat3(glm::rotate(glm::dmat4(1), rng.uniform(0, 6), glm::normalize(randomVector(rng, 1))));
        camera.translation = -camera.rotation * (glm::dvec3(300, -200, 100) + randomVector(rng, 20));
    }
    return views;
}

glm::dvec2 project(const Camera& camera, const glm::dvec3& point) {
    const glm::dvec3 p = camera.rotation * point + camera.translation;
    return {camera.fx * p.x / p.z + camera.cx, camera.fy * p.y / p.z + camera.cy};
}

TEST(TrainingFrame, PutsTheMeanOfTheCamerasInTheCentreAndTheFarthestAtOne) {
    const auto views = someViews();
    const TrainingFrame frame = trainingFrame(views);
    glm::dvec3 mean(0);
    double farthest = 0;
    for (const View& view : views) {
        const glm::dvec3 position = toFrame(frame, view.camera).position();
        mean += position;
        farthest = std::max(farthest, glm::length(position));
    }
    EXPECT_LT(glm::length(mean), 1e-12);
    EXPECT_NEAR(farthest, 1, 1e-12);
}

TEST(TrainingFrame, LeavesEveryPictureAsItIs) {
    const auto views = someViews();
    const TrainingFrame frame = trainingFrame(views);
    Rng rng(2);
    for (const View& view : views) {
        for (int i = 0; i < 20; ++i) {
            const glm::dvec3 point = glm::dvec3(300, -200, 100) + randomVector(rng, 10);
            const glm::dvec2 before = project(view.camera, point);
            const glm::dvec2 after = project(toFrame(frame, view.camera), (point - frame.centre) * frame.scale);
            EXPECT_LT(glm::distance(before, after), 1e-7 * (1 + glm::length(before)));
        }
    }
}

TEST(TrainingFrame, MovesPointsAsTheCamerasSeeThem) {
    const auto views = someViews();
    const TrainingFrame frame = trainingFrame(views);
    const auto points = toFrame(frame, std::vector<Point>{{.position = {310, -190, 105}, .colour = {1, 2, 3}}});
    EXPECT_LT(glm::distance(glm::dvec3(points[0].position), (glm::dvec3(310, -190, 105) - frame.centre) * frame.scale), 1e-5);
    EXPECT_EQ(points[0].colour[2], 3);
}

TEST(TrainingFrame, TakesCamerasThereAndBack) {
    const auto views = someViews();
    const TrainingFrame frame = trainingFrame(views);
    for (const View& view : views) {
        const Camera back = fromFrame(frame, toFrame(frame, view.camera));
        EXPECT_LT(glm::distance(back.translation, view.camera.translation), 1e-9 * glm::length(view.camera.translation));
        EXPECT_EQ(back.rotation, view.camera.rotation);
    }
}

TEST(TrainingFrame, TakesGaussiansThereAndBack) {
    const TrainingFrame frame = trainingFrame(someViews());
    Gaussians original;
    original.resize(3, 1);
    for (size_t i = 0; i < 3; ++i) {
        original.means[i] = glm::vec3(300 + i, -200, 100);
        original.logScales[i] = glm::vec3(0.1f, -2, 1);
        original.rotations[i] = {0.5f, 0.5f, -0.5f, 0.5f};
        original.sh[i * 4 + 1] = {1, 2, 3};
    }
    const Gaussians moved = toFrame(frame, original);
    EXPECT_NEAR(std::exp(moved.logScales[1].x), frame.scale * std::exp(0.1), 1e-5);
    const Gaussians back = fromFrame(frame, moved);
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_LT(glm::distance(back.means[i], original.means[i]), 1e-3f);
        EXPECT_LT(glm::distance(back.logScales[i], original.logScales[i]), 1e-5f);
    }
    EXPECT_EQ(back.rotations, original.rotations);
    EXPECT_EQ(back.sh, original.sh);
}

TEST(TrainingFrame, CamerasInOnePlaceKeepTheirScale) {
    auto views = someViews();
    for (View& view : views) view.camera.translation = -view.camera.rotation * glm::dvec3(1000, 0, 0);
    const TrainingFrame frame = trainingFrame(views);
    EXPECT_EQ(frame.scale, 1);
    EXPECT_NEAR(frame.centre.x, 1000, 1e-9);
}

TEST(TrainingFrame, TransformOfTakesItBack) {
    const TrainingFrame frame{{1, -2, 3}, 0.25};
    const glm::dvec3 inDataset{4, 5, -6}, inFrame = (inDataset - frame.centre) * frame.scale;
    EXPECT_LT(glm::distance(transformed(inFrame, transformOf(frame)), inDataset), 1e-12);
}

}  // namespace
}  // namespace splat
