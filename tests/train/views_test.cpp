// Exposures and poses trained along with the gaussians, by the whole trainer.
#include <gtest/gtest.h>

#include <splatwright/render/renderer.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/parts/colour_change_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/parts/pose_settings.h>
#include <splatwright/train/parts/poses.h>
#include <splatwright/train/step/trainer.h>
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

/// The scene from cameras around it, each photograph with a gain of its own.
std::vector<Photograph> photographsOf(const reference::Scene& scene, const std::vector<float>& gains) {
    GaussianModel model(testDevice(), static_cast<uint32_t>(scene.gaussians.count()));
    model.upload(testDevice(), scene.gaussians);
    Renderer renderer(testDevice(), testSort());
    std::vector<Photograph> photographs;
    for (size_t i = 0; i < gains.size(); ++i) {
        const float side = static_cast<float>(i) - 1;
        const Camera camera = movedCamera(scene.camera, {{0.3f * side, 0.1f, 0.05f * side}, {0.02f, 0.08f * side, -0.05f}});
        ImageF picture = renderer.render(model, camera, glm::vec3(0), scene.gaussians.shDegree);
        for (float& value : picture.pixels) value *= gains[i];
        photographs.push_back({std::to_string(i), camera, quantised(picture)});
    }
    return photographs;
}

TrainSettings viewSettings(uint32_t steps) {
    TrainSettings settings;
    settings.strategy = "fixed";
    settings.accumulate = "fixed-point";
    settings.steps = steps;
    settings.shDegreeInterval = 20;
    settings.of<ExposureSettings>().exposure = true;
    settings.of<ExposureSettings>().lrExposure = 0.01;
    settings.of<ColourChangeSettings>().least = 0;
    settings.of<PoseSettings>().refinePoses = true;
    settings.of<PoseSettings>().lrPoses = 1e-3;
    return settings;
}

bool goOn(const StepReport&) { return true; }

void expectSameBits(Trainer& a, Trainer& b) {
    const Checkpoint left = a.checkpoint(), right = b.checkpoint();
    EXPECT_EQ(left.header, right.header);
    ASSERT_EQ(left.sections.size(), right.sections.size());
    for (size_t i = 0; i < left.sections.size(); ++i) {
        EXPECT_EQ(left.sections[i].name, right.sections[i].name);
        EXPECT_EQ(left.sections[i].bytes, right.sections[i].bytes) << left.sections[i].name;
    }
}

TEST(TrainedViews, AreInTheCheckpoint) {
    const reference::Scene scene = reference::makeMixedScene(20, 32, 32, 3);
    Trainer trainer(testDevice(), testSort(), viewSettings(5), scene.gaussians, photographsOf(scene, {1, 0.5f}), 1.1);
    trainer.run(5, goOn);
    const Checkpoint checkpoint = trainer.checkpoint();
    EXPECT_EQ(checkpoint.section("exposures", sizeof(glm::vec4)).bytes.size(), 2 * 3 * sizeof(glm::vec4));
    EXPECT_EQ(checkpoint.section("pose_twists", sizeof(shared::PoseOffset)).bytes.size(), 2 * sizeof(shared::PoseOffset));
}

TEST(TrainedViews, ARunThatGoesOnFromACheckpointEndsInTheSameBits) {
    const reference::Scene scene = reference::makeMixedScene(50, 24, 20, 3);
    const auto photographs = photographsOf(scene, {1, 0.6f, 1.2f});
    Trainer whole(testDevice(), testSort(), viewSettings(40), scene.gaussians, photographs, 1.1);
    whole.run(17, goOn);
    const Checkpoint checkpoint = whole.checkpoint();
    whole.run(40, goOn);
    Trainer resumed(testDevice(), testSort(), viewSettings(40), scene.gaussians, photographs, 1.1);
    resumed.restore(checkpoint);
    resumed.run(40, goOn);
    expectSameBits(whole, resumed);
}

TEST(TrainedViews, ACheckpointOfOtherViewsIsRefused) {
    const reference::Scene scene = reference::makeMixedScene(20, 32, 32, 3);
    Trainer three(testDevice(), testSort(), viewSettings(5), scene.gaussians, photographsOf(scene, {1, 1, 1}), 1.1);
    Trainer two(testDevice(), testSort(), viewSettings(5), scene.gaussians, photographsOf(scene, {1, 1}), 1.1);
    EXPECT_THROW(two.restore(three.checkpoint()), InputError);
    TrainSettings plain = viewSettings(5);
    plain.of<ExposureSettings>().exposure = plain.of<PoseSettings>().refinePoses = false;
    Trainer without(testDevice(), testSort(), plain, scene.gaussians, photographsOf(scene, {1, 1}), 1.1);
    EXPECT_THROW(two.restore(without.checkpoint()), InputError);
}

// The same run twice: one that overflows on its way, one whose buffers were large enough from the first step.
TEST(TrainedViews, AnOverflowChangesNothing) {
    const reference::Scene scene = reference::makeMixedScene(120, 36, 20, 8);
    const auto photographs = photographsOf(scene, {1, 0.6f, 1.2f});
    Gaussians start = scene.gaussians;
    for (glm::vec3& s : start.logScales) s = glm::vec3(1.5f);
    for (float& o : start.logitOpacities) o = -4.0f;
    Trainer overflowing(testDevice(), testSort(), viewSettings(8), start, photographs, 1.1);
    const Checkpoint atStart = overflowing.checkpoint();
    overflowing.run(8, goOn);
    EXPECT_GT(overflowing.costs().repeatedSteps, 0u);
    Trainer roomy(testDevice(), testSort(), viewSettings(8), start, photographs, 1.1);
    roomy.run(8, goOn);
    roomy.restore(atStart);
    roomy.run(8, goOn);
    EXPECT_EQ(roomy.costs().repeatedSteps, 0u);
    expectSameBits(overflowing, roomy);
}

TEST(TrainedViews, ExposuresExplainPhotographsOfDifferentGain) {
    const reference::Scene scene = reference::makeMixedScene(60, 30, 20, 4);
    const auto photographs = photographsOf(scene, {1, 0.5f, 0.75f});
    const auto lossAfter = [&](bool exposure) {
        TrainSettings settings = viewSettings(90);
        settings.of<ExposureSettings>().exposure = exposure;
        settings.of<PoseSettings>().refinePoses = false;
        Trainer trainer(testDevice(), testSort(), settings, scene.gaussians, photographs, 1.1);
        double last = 0;
        trainer.run(90, [&](const StepReport& report) {
            last = report.step <= 87 ? 0 : last + report.loss;  // one round of the views
            return true;
        });
        return last;
    };
    EXPECT_LT(lossAfter(true), 0.5 * lossAfter(false));
}

// The gaussians are right and stay, the cameras are wrong and move.
TEST(TrainedViews, PerturbedCamerasMoveBack) {
    const reference::Scene scene = reference::makeMixedScene(60, 30, 20, 6);
    std::vector<Photograph> photographs = photographsOf(scene, {1, 1, 1});
    std::vector<Camera> truth;
    for (Photograph& p : photographs) {
        truth.push_back(p.camera);
        const float sign = truth.size() % 2 == 0 ? 1 : -1;
        p.camera = movedCamera(p.camera, {{0.02f * sign, -0.01f, 0.02f}, {0.006f, -0.008f * sign, 0.01f}});
    }
    TrainSettings settings = viewSettings(300);
    settings.of<ExposureSettings>().exposure = false;
    settings.of<PoseSettings>().lrPoses = 4e-3;
    settings.of<PoseSettings>().lrPosesFinal = 2e-4;
    for (double* rate : {&settings.lrMeans, &settings.lrMeansFinal, &settings.lrRotations, &settings.lrScales, &settings.lrOpacities,
                         &settings.lrSh0, &settings.lrShRest})
        *rate = 0;
    settings.shDegreeInterval = 1;
    Trainer trainer(testDevice(), testSort(), settings, scene.gaussians, photographs, 1.1);
    double first = 0, last = 0;
    trainer.run(settings.steps, [&](const StepReport& report) {
        if (report.step == 1) first = report.loss;
        last = report.loss;
        return true;
    });
    EXPECT_LT(last, 0.2 * first);
    const std::vector<Camera> moved = trainer.movedCameras();
    ASSERT_EQ(moved.size(), truth.size());
    for (size_t i = 0; i < truth.size(); ++i)
        EXPECT_LT(glm::distance(moved[i].position(), truth[i].position()),
                  0.1 * glm::distance(photographs[i].camera.position(), truth[i].position()));
}

TEST(TrainedViews, CamerasStayUnlessTheyAreRefined) {
    const reference::Scene scene = reference::makeMixedScene(20, 32, 32, 3);
    TrainSettings settings = viewSettings(5);
    settings.of<PoseSettings>().refinePoses = false;
    Trainer trainer(testDevice(), testSort(), settings, scene.gaussians, photographsOf(scene, {1, 1}), 1.1);
    trainer.run(5, goOn);
    EXPECT_TRUE(trainer.movedCameras().empty());
}

}  // namespace
}  // namespace splat
