#include <splatwright/prepare/scene_frame.h>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "../scene/scratch.h"
#include "made_model.h"
#include "umeyama.h"

namespace splat::prepare {
namespace {

using glm::dvec3;

dvec3 uprightCamera(const ModelImage&) { return {0, -1, 0}; }

glm::dmat3 randomRotation(Rng& rng) {
    return glm::mat3_cast(glm::normalize(glm::dquat(rng.normal(), rng.normal(), rng.normal(), rng.normal())));
}

Similarity randomSimilarity(uint64_t seed) {
    Rng rng(seed);
    return {.rotation = randomRotation(rng), .scale = rng.uniform(0.1, 10), .translation = {rng.normal(), rng.normal(), rng.normal()}};
}

/// Where an image shows a point, on the plane z = 1.
dvec3 shown(const ModelImage& image, const dvec3& p) {
    const dvec3 inCamera = image.rotation * p + image.translation;
    return inCamera / inCamera.z;
}

/// Level cameras around the origin at a height of 1 over a floor, which is `floor` of the points; y is down.
Model levelScene(uint64_t seed, double floor, double tilt = 0.05) {
    Rng rng(seed);
    Model model = test::madeModel(24, 400, 1, seed);
    for (size_t i = 0; i < model.images.size(); ++i) {
        const double turn = 2 * 3.14159265358979 * static_cast<double>(i) / static_cast<double>(model.images.size());
        ModelImage& image = model.images[i];
        image.rotation = glm::angleAxis(tilt * rng.normal(), dvec3(0, 0, 1)) * glm::angleAxis(turn, dvec3(0, 1, 0));
        image.translation = -(image.rotation * dvec3(3 * std::sin(turn), -1, 3 * std::cos(turn)));
    }
    for (size_t i = 0; i < model.points.size(); ++i) {
        const bool onFloor = static_cast<double>(i) < floor * static_cast<double>(model.points.size());
        const double height = onFloor ? 0.005 * rng.normal() : -2 * rng.uniform();
        model.points[i].position = {rng.uniform(-4, 4), height, rng.uniform(-4, 4)};
    }
    return model;
}

TEST(Similarity, EveryImageShowsTheSame) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const Model before = test::madeModel(6, 30, 1, seed);
        Model after = before;
        const Similarity similarity = randomSimilarity(seed);
        apply(similarity, after);
        for (size_t i = 0; i < before.images.size(); ++i) {
            EXPECT_LT(glm::distance(similarity(before.images[i].position()), after.images[i].position()), 1e-9);
            for (size_t p = 0; p < before.points.size(); ++p) {
                const dvec3 a = shown(before.images[i], before.points[p].position), b = shown(after.images[i], after.points[p].position);
                EXPECT_LT(glm::distance(a, b), 1e-7 * (1 + glm::length(a)));
            }
        }
    }
}

TEST(Alignment, FindsTheSimilarityOfExactPoints) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        Rng rng(seed);
        const Similarity similarity = randomSimilarity(seed);
        std::vector<dvec3> from, to;
        for (int i = 0; i < 12; ++i) {
            from.emplace_back(rng.normal(), rng.normal(), 0.3 * rng.normal());
            to.push_back(similarity(from.back()));
        }
        const test::Alignment found = test::alignPoints(from, to);
        EXPECT_NEAR(found.scale, similarity.scale, 1e-9 * similarity.scale);
        for (size_t i = 0; i < from.size(); ++i) EXPECT_LT(glm::distance(found(from[i]), to[i]), 1e-8);
    }
}

TEST(SceneFrame, CamerasAreAroundTheOriginWithinOne) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        Model model = test::madeModel(9, 50, 1, seed);
        apply(sceneFrame(model, uprightCamera).similarity, model);
        dvec3 mean(0);
        double farthest = 0;
        for (const ModelImage& image : model.images) {
            mean += image.position() / 9.0;
            farthest = std::max(farthest, glm::length(image.position()));
        }
        EXPECT_LT(glm::length(mean), 1e-12);
        EXPECT_NEAR(farthest, 1, 1e-12);
    }
}

/// A scene that was turned, scaled and moved is put up again, with the floor's normal as its upward direction.
TEST(SceneFrame, TheDominantPlaneIsLevel) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        Model model = levelScene(seed, 0.5);
        const Similarity similarity = randomSimilarity(seed);
        apply(similarity, model);
        const SceneFrame frame = sceneFrame(model, uprightCamera);
        EXPECT_TRUE(frame.plane);
        const dvec3 up = frame.similarity.rotation * similarity.rotation * dvec3(0, -1, 0);
        EXPECT_LT(glm::degrees(std::acos(std::min(1.0, -up.y))), 0.1) << seed;
    }
}

TEST(SceneFrame, WithoutAPlaneTheMeanOfTheCamerasIsUp) {
    Model model = levelScene(1, 0, 0);
    const Similarity similarity = randomSimilarity(7);
    apply(similarity, model);
    const SceneFrame frame = sceneFrame(model, uprightCamera);
    EXPECT_FALSE(frame.plane);
    EXPECT_LT(glm::distance(frame.similarity.rotation * similarity.rotation * dvec3(0, -1, 0), dvec3(0, -1, 0)), 1e-9);
}

TEST(SceneFrame, AWallIsNoFloor) {
    Model model = levelScene(1, 0, 0);
    Rng rng(5);
    for (ModelPoint& point : model.points) point.position.x = 4 + 0.001 * rng.normal();
    EXPECT_FALSE(sceneFrame(model, uprightCamera).plane);
}

TEST(SceneFrame, CamerasUpsideDownAndInOnePlaceHaveAFrame) {
    Model model = levelScene(2, 0.5, 0);
    for (ModelImage& image : model.images) image.translation = dvec3(0);
    EXPECT_EQ(sceneFrame(model, uprightCamera).similarity.scale, 1);
    const SceneFrame down = sceneFrame(levelScene(2, 0, 0), [](const ModelImage&) { return dvec3(0, 1, 0); });
    EXPECT_LT(glm::distance(down.similarity.rotation * dvec3(0, 1, 0), dvec3(0, -1, 0)), 1e-12);
    EXPECT_NEAR(glm::determinant(down.similarity.rotation), 1, 1e-12) << "a rotation, no mirror";
}

TEST(SceneFrame, AKnownDistanceIsInMetres) {
    Model model = test::madeModel(5, 20, 1);
    const SceneFrame frame = sceneFrame(model, uprightCamera, KnownDistance{model.images[1].name, model.images[3].name, 2.5});
    EXPECT_TRUE(frame.metres);
    apply(frame.similarity, model);
    EXPECT_NEAR(glm::distance(model.images[1].position(), model.images[3].position()), 2.5, 1e-12);
    test::expectInputError([&] { sceneFrame(model, uprightCamera, KnownDistance{"none", model.images[3].name, 1}); }, {"'none'"});
    test::expectInputError(
        [&] {
            sceneFrame(model, uprightCamera, KnownDistance{model.images[3].name, model.images[3].name, 1});
        },
        {"one place"});
}

TEST(DominantPlane, NeedsPointsAndAFifthOfThem) {
    EXPECT_FALSE(dominantPlane({}, {0, 1, 0}, 0.1));
    const std::vector<dvec3> line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    EXPECT_FALSE(dominantPlane(line, {0, 1, 0}, 0.1)) << "a line has no plane";
}

}  // namespace
}  // namespace splat::prepare
