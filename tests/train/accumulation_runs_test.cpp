#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/render/blend_self_test.h>
#include <splatwright/render/renderer.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/step/accumulation_trials.h>
#include <splatwright/train/step/trainer.h>
#include <splatwright/train/step/training_costs.h>
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

constexpr uint32_t kSteps = 150;  // in which all methods are compared once

constexpr uint32_t kQualitySteps = 80;

/// A scene whose runs are compared, with images whose sides are no multiples of a tile's.
struct ComparedScene {
    reference::Scene scene = reference::makeMixedScene(70, 45, 27, 4);
    std::vector<Photograph> photographs = photographsOf(scene, 4);

    TrainedRun train(const std::string& accumulate, uint32_t steps) const {
        TrainSettings settings = shortRun(steps);
        settings.accumulate = accumulate;
        return splat::train(blurred(scene.gaussians), photographs, settings);
    }
    /// Of all views, as the renderer draws the trained splats.
    double psnrOf(const Gaussians& gaussians) const {
        GaussianModel model(testDevice(), static_cast<uint32_t>(gaussians.count()));
        model.upload(testDevice(), gaussians);
        Renderer renderer(testDevice(), testSort());
        double sum = 0;
        for (const Photograph& p : photographs)
            sum += psnr(quantised(renderer.render(model, p.camera, glm::vec3(0), gaussians.shDegree)), p.image);
        return sum / static_cast<double>(photographs.size());
    }
};

const ComparedScene& comparedScene() {
    static const ComparedScene scene;
    return scene;
}

/// PSNR after training with the deterministic row, whose gradients are exact to 2^-24 or so.
double expectedPsnr() {
    static const double psnr = comparedScene().psnrOf(comparedScene().train("fixed-point", kQualitySteps).gaussians);
    return psnr;
}

class AccumulationRuns : public testing::TestWithParam<std::string> {};

TEST_P(AccumulationRuns, EndWithTheSameQuality) {
    const TrainedRun run = comparedScene().train(GetParam(), kQualitySteps);
    EXPECT_EQ(run.costs.waitsInSteps, 0u);
    EXPECT_LT(run.losses.back(), 0.5 * run.losses.front());
    EXPECT_NEAR(comparedScene().psnrOf(run.gaussians), expectedPsnr(), 0.05);
}
INSTANTIATE_TEST_SUITE_P(Rows, AccumulationRuns, testing::ValuesIn(accumulationNames()), accumulationTestName);
INSTANTIATE_TEST_SUITE_P(Automatic, AccumulationRuns, testing::Values(std::string(kAutomatic)), accumulationTestName);

double stageOf(const TrainingCosts& costs, std::string_view name) {
    for (const StageCost& stage : costs.stages)
        if (stage.name == name) return stage.milliseconds;
    return -1;
}

TEST(AutomaticAccumulation, ChoosesDuringTrainingWithoutAWait) {
    const TrainedRun run = comparedScene().train(std::string(kAutomatic), kSteps);
    EXPECT_EQ(run.costs.waitsInSteps, 0u);
    EXPECT_EQ(run.losses.size(), kSteps);
    if (!AccumulationTrials::missingFeature(testDevice()).empty()) {
        EXPECT_TRUE(run.costs.accumulations.empty());
        EXPECT_EQ(stageOf(run.costs, "compare accumulation"), 0);
        return;
    }
    ASSERT_EQ(run.costs.accumulations.size(), 1u);
    const AccumulationDecision& d = run.costs.accumulations[0];
    EXPECT_LE(d.step, kSteps);
    EXPECT_NE(d.chosen, d.next);
    EXPECT_GT(d.milliseconds, 0);
    EXPECT_GE(1.04 * d.nextMilliseconds, d.milliseconds);
    EXPECT_GT(stageOf(run.costs, "compare accumulation"), d.milliseconds);
}

TEST(AutomaticAccumulation, IsNotMeasuredWhereAMethodIsNamed) {
    const TrainedRun run = comparedScene().train("subtile", 20);
    EXPECT_TRUE(run.costs.accumulations.empty());
    EXPECT_EQ(stageOf(run.costs, "compare accumulation"), -1);
}

TEST(AutomaticAccumulation, NeedsNoMoreMemoryThanItsMethods) {
    if (needsBlendSelfTest(testDevice())) GTEST_SKIP() << "without maximal reconvergence the methods' self tests need memory, too";
    const auto peakOf = [](const std::string& accumulate) {
        gpu::Device device(testDeviceOptions());
        const primitives::RadixSort sort(device);
        TrainSettings settings = shortRun(30);
        settings.accumulate = accumulate;
        const ComparedScene& s = comparedScene();
        Trainer trainer(device, sort, settings, blurred(s.scene.gaussians), s.photographs, 1.1);
        trainer.run(30, [](const StepReport&) { return true; });
        EXPECT_EQ(device.validationMessages(), 0u);
        return device.memoryPeak();
    };
    EXPECT_EQ(peakOf(std::string(kAutomatic)), peakOf("subtile"));
}

/// Splats so large that each lies in every tile: the first step overflows, and trials behind it have done nothing.
TEST(AutomaticAccumulation, SurvivesAnOverflow) {
    const reference::Scene scene = reference::makeMixedScene(80, 48, 48, 8);
    Gaussians start = blurred(scene.gaussians);
    for (glm::vec3& s : start.logScales) s = glm::vec3(0.5f);
    for (float& o : start.logitOpacities) o = -4.0f;
    TrainSettings settings = shortRun(kSteps);
    settings.accumulate = kAutomatic;
    const TrainedRun run = train(start, photographsOf(scene, 3), settings);
    EXPECT_GT(run.costs.repeatedSteps, 0u);
    EXPECT_EQ(run.losses.size(), kSteps);
    EXPECT_EQ(run.costs.accumulations.size(), AccumulationTrials::missingFeature(testDevice()).empty() ? 1u : 0u);
}

TEST(AutomaticAccumulation, GoesOnAfterStopsChangesAndARestore) {
    const ComparedScene& s = comparedScene();
    TrainSettings settings = shortRun(3 * kSteps);
    settings.accumulate = kAutomatic;
    Trainer trainer(testDevice(), testSort(), settings, blurred(s.scene.gaussians), s.photographs, 1.1);
    const auto goOn = [](const StepReport&) { return true; };
    const size_t each = AccumulationTrials::missingFeature(testDevice()).empty() ? 1 : 0;
    for (const uint32_t stop : {1u, 2u, 3u, 40u, kSteps}) trainer.run(stop, goOn);
    EXPECT_EQ(trainer.costs().accumulations.size(), each);
    settings.accumulate = "library";
    trainer.change(settings);
    trainer.run(kSteps + 20, goOn);
    EXPECT_EQ(trainer.costs().accumulations.size(), each);
    settings.accumulate = kAutomatic;
    trainer.change(settings);
    trainer.run(2 * kSteps, goOn);
    EXPECT_EQ(trainer.costs().accumulations.size(), 2 * each);
    trainer.restore(trainer.checkpoint());
    EXPECT_TRUE(trainer.costs().accumulations.empty());
    EXPECT_LE(stageOf(trainer.costs(), "compare accumulation"), 0);
    trainer.run(3 * kSteps, goOn);
    EXPECT_EQ(trainer.costs().accumulations.size(), each);
    EXPECT_EQ(trainer.stepsDone(), 3 * kSteps);
}

}  // namespace
}  // namespace splat
