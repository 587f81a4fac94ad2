#include "train/trainer.h"

#include <gtest/gtest.h>

#include "reference/scenes.h"
#include "render/renderer.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/metrics.h"
#include "train/schedule.h"

namespace splat {
namespace {

/// The scene seen from cameras a little apart, as the renderer draws it.
std::vector<Photograph> photographsOf(const reference::Scene& scene, int views) {
    gpu::Device& device = testDevice();
    GaussianModel model(device, static_cast<uint32_t>(scene.gaussians.count()));
    model.upload(device, scene.gaussians);
    Renderer renderer(device, testSort());
    std::vector<Photograph> photographs;
    for (int i = 0; i < views; ++i) {
        Camera camera = scene.camera;
        camera.translation.x += 0.05 * i;
        const ImageF picture = renderer.render(model, camera, glm::vec3(0), scene.gaussians.shDegree);
        photographs.push_back({std::to_string(i), camera, quantised(picture)});
    }
    return photographs;
}

/// The scene with grey, half-transparent splats: where training has something to learn.
Gaussians blurred(Gaussians gaussians) {
    for (glm::vec3& c : gaussians.sh) c *= 0.3f;
    for (float& o : gaussians.logitOpacities) o = 0;
    return gaussians;
}

TrainSettings shortRun(uint32_t steps) {
    TrainSettings settings;
    settings.steps = steps;
    settings.shDegreeInterval = 20;
    return settings;
}

struct TrainedRun {
    Gaussians gaussians;
    TrainingCosts costs;
    std::vector<double> losses;
};

TrainedRun train(const Gaussians& start, const std::vector<Photograph>& photographs, const TrainSettings& settings) {
    Trainer trainer(testDevice(), testSort(), settings, start, photographs, 1.1);
    TrainedRun run;
    trainer.run(settings.steps, [&](const StepReport& report) {
        run.losses.push_back(report.loss);
        return true;
    });
    run.gaussians = trainer.model().download(testDevice(), 3);
    run.costs = trainer.costs();
    return run;
}

void expectSameBits(const Gaussians& a, const Gaussians& b) {
    EXPECT_EQ(a.means, b.means);
    EXPECT_EQ(a.rotations, b.rotations);
    EXPECT_EQ(a.logScales, b.logScales);
    EXPECT_EQ(a.logitOpacities, b.logitOpacities);
    EXPECT_EQ(a.sh, b.sh);
}

TEST(Trainer, LearnsASceneAndNeverWaitsInAStep) {
    const reference::Scene scene = reference::makeMixedScene(60, 64, 48, 4);
    const TrainedRun run = train(blurred(scene.gaussians), photographsOf(scene, 3), shortRun(150));
    ASSERT_EQ(run.losses.size(), 150u);
    EXPECT_LT(run.losses.back(), 0.3 * run.losses.front());
    EXPECT_EQ(run.costs.waitsInSteps, 0u);
    EXPECT_EQ(run.costs.steps, 150u);
    const bool timed = testDevice().has(gpu::Feature::timestamps);
    for (const auto& [stage, milliseconds] : run.costs.stages) EXPECT_EQ(milliseconds > 0, timed) << stage;
}

TEST(Trainer, DeterministicRunsAreBitIdentical) {
    const reference::Scene scene = reference::makeMixedScene(80, 48, 48, 6);
    const auto photographs = photographsOf(scene, 4);
    TrainSettings settings = shortRun(60);
    settings.deterministic = true;
    settings.accumulate = "ordered";
    const TrainedRun first = train(blurred(scene.gaussians), photographs, settings);
    const TrainedRun second = train(blurred(scene.gaussians), photographs, settings);
    expectSameBits(first.gaussians, second.gaussians);
    EXPECT_EQ(first.losses, second.losses);
}

/// Splats so large that each lies in every tile, which is more than the trainer makes room for at first.
Gaussians overflowing(const reference::Scene& scene) {
    Gaussians gaussians = blurred(scene.gaussians);
    for (glm::vec3& s : gaussians.logScales) s = glm::vec3(1.5f);
    for (float& o : gaussians.logitOpacities) o = -4.0f;
    return gaussians;
}

TEST(Trainer, AnOverflowRepeatsTheStepAndChangesNothingElse) {
    const reference::Scene scene = reference::makeMixedScene(300, 96, 80, 8);
    const auto photographs = photographsOf(scene, 3);
    TrainSettings settings = shortRun(40);
    settings.accumulate = "ordered";
    const TrainedRun run = train(overflowing(scene), photographs, settings);
    EXPECT_GT(run.costs.repeatedSteps, 0u);
    EXPECT_EQ(run.losses.size(), 40u);
    expectSameBits(run.gaussians, train(overflowing(scene), photographs, settings).gaussians);
}

TEST(Trainer, StoppingAndGoingOnIsTheSameAsNotStopping) {
    const reference::Scene scene = reference::makeMixedScene(50, 32, 32, 3);
    const auto photographs = photographsOf(scene, 3);
    TrainSettings settings = shortRun(50);
    settings.accumulate = "ordered";
    const TrainedRun whole = train(blurred(scene.gaussians), photographs, settings);
    Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), photographs, 1.1);
    trainer.run(17, [](const StepReport&) { return true; });
    EXPECT_EQ(trainer.stepsDone(), 17u);
    trainer.run(50, [](const StepReport&) { return true; });
    expectSameBits(whole.gaussians, trainer.model().download(testDevice(), 3));
}

TEST(Trainer, AReportAnsweredWithFalseStopsTheRun) {
    const reference::Scene scene = reference::makeMixedScene(20, 32, 32, 3);
    Trainer trainer(testDevice(), testSort(), shortRun(5000), scene.gaussians, photographsOf(scene, 2), 1.1);
    trainer.run(5000, [](const StepReport& report) { return report.step < 10; });
    EXPECT_GE(trainer.stepsDone(), 10u);
    EXPECT_LT(trainer.stepsDone(), 200u);
}

TEST(Schedule, RatesFallLogLinearlyAndBiasCorrectionsRise) {
    TrainSettings settings;
    settings.steps = 1000;
    const auto schedule = stepSchedule(settings, 2.0);
    EXPECT_FLOAT_EQ(schedule[0].lrMeans, 3.2e-4f);
    EXPECT_NEAR(schedule[500].lrMeans, 3.2e-5f, 1e-9);
    EXPECT_FLOAT_EQ(schedule[0].biasCorrection1, 0.1f);
    EXPECT_FLOAT_EQ(schedule[0].biasCorrection2, 0.001f);
    EXPECT_FLOAT_EQ(schedule[1].biasCorrection1, 0.19f);
    EXPECT_EQ(schedule[999].shDegree, 0u);
    EXPECT_EQ(shDegreeAt(settings, 1000), 1u);
    EXPECT_EQ(shDegreeAt(settings, 999'999), 3u);
}

}  // namespace
}  // namespace splat
