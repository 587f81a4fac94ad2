#include <algorithm>

#include <gtest/gtest.h>

#include <splatwright/train/parts/pose_settings.h>
#include <splatwright/train/parts/poses.h>
#include <splatwright/train/step/schedule.h>
#include <splatwright/train/step/trainer.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

TrainSettings smallFirst(TrainSettings settings, uint32_t factor, uint32_t fullSizeFrom) {
    settings.accumulate = "fixed-point";
    settings.startDownscale = factor;
    settings.fullSizeFrom = fullSizeFrom;
    return settings;
}

TEST(Resolution, EachSizeIsUsedForStepsInProportionToIt) {
    for (const uint32_t factor : {1u, 2u, 4u, 8u}) {
        const TrainSettings settings = smallFirst({}, factor, 700);
        std::vector<uint32_t> steps(levelsOf(settings));
        for (uint32_t step = 0; step < 1000; ++step) {
            const uint32_t level = levelAt(settings, step);
            ++steps.at(level);
            EXPECT_LE(level, levelAt(settings, std::max(step, 1u) - 1)) << step;
            EXPECT_EQ(level == 0, step >= fullSizeStep(settings)) << step;
        }
        EXPECT_EQ(levelAt(settings, 0), levelsOf(settings) - 1);
        EXPECT_EQ(steps[0], factor == 1 ? 1000u : 300u);
        for (size_t level = 2; level < steps.size(); ++level) EXPECT_NEAR(steps[level - 1], 2.0 * steps[level], 2) << factor;
    }
}

TEST(Resolution, HalfOfAllStepsHaveFullSizeAtLeast) {
    TrainSettings settings = smallFirst({}, 4, 3000);
    for (const uint32_t steps : {1u, 2u, 7u, 1000u, 5999u, 6000u, 10'000u}) {
        settings.steps = steps;
        const uint32_t from = std::min(steps / 2, 3000u);
        EXPECT_EQ(fullSizeStep(settings), from);
        EXPECT_EQ(levelAt(settings, from), 0u) << steps;
        if (from > 0) {
            EXPECT_EQ(levelAt(settings, 0), 2u) << steps;
        }
        if (from > 1) {
            EXPECT_EQ(levelAt(settings, from - 1), 1u) << steps;
        }
    }
}

TEST(Resolution, FromTheFirstStepTheFullSizeIsNoSchedule) {
    const reference::Scene scene = reference::makeMixedScene(50, 48, 32, 3);
    const auto photographs = photographsOf(scene, 3);
    const TrainedRun plain = train(blurred(scene.gaussians), photographs, smallFirst(shortRun(20), 1, 3000));
    expectSameBits(plain.gaussians, train(blurred(scene.gaussians), photographs, smallFirst(shortRun(20), 4, 0)).gaussians);
}

/// The run is that of the same steps on images which were downscaled before.
TEST(Resolution, StepsLearnFromImagesOfTheirLevel) {
    const reference::Scene scene = reference::makeMixedScene(50, 51, 35, 3);
    const auto photographs = photographsOf(scene, 3);
    for (const uint32_t factor : {2u, 4u, 8u}) {
        std::vector<Photograph> smaller;
        for (const Photograph& p : photographs) smaller.push_back(downscaled(p, static_cast<int>(factor)));
        const uint32_t small = 20 * (factor - 1);  // the smallest size is used in the first 20 steps
        const TrainedRun wanted = train(blurred(scene.gaussians), smaller, smallFirst(shortRun(2 * small), 1, 0), 20);
        const TrainedRun found = train(blurred(scene.gaussians), photographs, smallFirst(shortRun(2 * small), factor, small), 20);
        expectSameBits(found.gaussians, wanted.gaussians);
        EXPECT_EQ(found.losses, wanted.losses);
    }
}

TEST(Resolution, StreamedAndStoppedRunsHaveTheSameBits) {
    const reference::Scene scene = reference::makeMixedScene(80, 48, 48, 6);
    const auto photographs = photographsOf(scene, 5);
    TrainSettings settings = smallFirst(shortRun(60), 4, 30);
    const TrainedRun wanted = train(blurred(scene.gaussians), photographs, settings);
    settings.imageMemory = 0;
    Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), photographs, 1.1);
    for (const uint32_t stop : {7u, 25u, 60u}) trainer.run(stop, [](const StepReport&) { return true; });
    expectSameBits(trainer.model().download(testDevice(), 3), wanted.gaussians);
    EXPECT_EQ(trainer.costs().waitsInSteps, 0u);
}

/// Only the camera is trained, on the smallest images alone: if their camera did not follow, Adam would go on past the true pose.
TEST(Resolution, CamerasOfSmallerImagesFollowTheRefinedPose) {
    const reference::Scene scene = reference::makeMixedScene(200, 64, 48, 6);
    std::vector<Photograph> photographs = photographsOf(scene, 1);
    const Camera truth = photographs[0].camera;
    photographs[0].camera = movedCamera(truth, {{0.03f, -0.02f, 0.04f}, {0.01f, -0.015f, 0.02f}});
    TrainSettings settings = smallFirst(shortRun(300), 2, 150);
    settings.of<PoseSettings>().refinePoses = true;
    settings.of<PoseSettings>().lrPoses = settings.of<PoseSettings>().lrPosesFinal = 1e-3;
    settings.shDegreeInterval = 1;
    for (double* rate : {&settings.lrMeans, &settings.lrMeansFinal, &settings.lrRotations, &settings.lrScales, &settings.lrOpacities,
                         &settings.lrSh0, &settings.lrShRest})
        *rate = 0;
    Trainer trainer(testDevice(), testSort(), settings, scene.gaussians, photographs, 1.1);
    trainer.run(150, [](const StepReport&) { return true; });
    const double before = glm::distance(photographs[0].camera.position(), truth.position());
    EXPECT_LT(glm::distance(trainer.movedCameras()[0].position(), truth.position()), 0.2 * before);
}

}  // namespace
}  // namespace splat
