#include <splatwright/train/step/trainer.h>

#include <array>

#include <gtest/gtest.h>

#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/step/schedule.h>
#include <splatwright/train/step/training_costs.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

TEST(Trainer, LearnsASceneAndNeverWaitsInAStep) {
    const reference::Scene scene = reference::makeMixedScene(60, 64, 48, 4);
    const TrainedRun run = train(blurred(scene.gaussians), photographsOf(scene, 3), shortRun(100));
    ASSERT_EQ(run.losses.size(), 100u);
    EXPECT_LT(run.losses.back(), 0.3 * run.losses.front());
    EXPECT_EQ(run.costs.waitsInSteps, 0u);
    EXPECT_EQ(run.costs.steps, 100u);
    const bool timed = testDevice().has(gpu::Feature::timestamps);
    for (const StageCost& stage : run.costs.stages) EXPECT_EQ(stage.milliseconds > 0, timed) << stage.name;
}

TEST(Trainer, StageCostsOfTheTimedStepsStandForAll) {
    if (!testDevice().has(gpu::Feature::timestamps)) GTEST_SKIP() << testDevice().name() << " has no timestamps";
    constexpr uint32_t kSteps = 60;
    const reference::Scene scene = reference::makeMixedScene(100, 48, 48, 4);
    const TrainedRun run = train(blurred(scene.gaussians), photographsOf(scene, 3), shortRun(kSteps));
    double sum = 0;
    for (const StageCost& stage : run.costs.stages) {
        if (stage.name != "densify") {  // events, such as the health's, are always timed
            EXPECT_EQ(stage.steps, (kSteps + 15) / 16) << stage.name;
        }
        sum += kSteps * stage.perStep();
    }
    const double wall = 1000 * run.costs.seconds;
    EXPECT_LT(sum, 1.5 * wall);
    EXPECT_GT(sum, wall > 3 * kSteps ? 0.25 * wall : 0) << "on a fast device the host's share is large";
}

TEST(Trainer, DeterministicRunsAreBitIdentical) {
    const reference::Scene scene = reference::makeMixedScene(80, 48, 48, 6);
    const auto photographs = photographsOf(scene, 4);
    TrainSettings settings = shortRun(60);
    settings.deterministic = true;
    settings.accumulate = "fixed-point";
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

TEST(Trainer, StoppingAndGoingOnIsTheSameAsNotStopping) {
    const reference::Scene scene = reference::makeMixedScene(50, 32, 32, 3);
    const auto photographs = photographsOf(scene, 3);
    TrainSettings settings = shortRun(50);
    settings.accumulate = "fixed-point";
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

TrainSettings streaming(TrainSettings settings) {
    settings.accumulate = "fixed-point";
    settings.imageMemory = 0;
    return settings;
}

TEST(Trainer, StreamedPhotographsTrainToTheSameBits) {
    const reference::Scene scene = reference::makeMixedScene(80, 48, 48, 6);
    const auto photographs = photographsOf(scene, 5);
    TrainSettings resident = shortRun(60);
    resident.accumulate = "fixed-point";
    const TrainedRun expected = train(blurred(scene.gaussians), photographs, resident);
    const TrainedRun found = train(blurred(scene.gaussians), photographs, streaming(shortRun(60)));
    expectSameBits(found.gaussians, expected.gaussians);
    EXPECT_EQ(found.losses, expected.losses);
    EXPECT_EQ(found.costs.waitsInSteps, 0u);
}

TEST(Trainer, AnOverflowWhileStreamingChangesNothing) {
    const reference::Scene scene = reference::makeMixedScene(120, 64, 48, 8);
    const auto photographs = photographsOf(scene, 5);
    TrainSettings resident = shortRun(16);
    resident.accumulate = "fixed-point";
    const TrainedRun run = train(overflowing(scene), photographs, streaming(shortRun(16)));
    EXPECT_GT(run.costs.repeatedSteps, 0u);
    expectSameBits(run.gaussians, train(overflowing(scene), photographs, resident).gaussians);
}

TEST(Trainer, StreamingGoesOnAfterAStop) {
    const reference::Scene scene = reference::makeMixedScene(50, 32, 32, 3);
    const auto photographs = photographsOf(scene, 3);
    const TrainSettings settings = streaming(shortRun(50));
    const TrainedRun whole = train(blurred(scene.gaussians), photographs, settings);
    Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), photographs, 1.1);
    for (const uint32_t stop : {1u, 18u, 50u}) trainer.run(stop, [](const StepReport&) { return true; });
    expectSameBits(whole.gaussians, trainer.model().download(testDevice(), 3));
}

TEST(Schedule, RandomBackgroundsFillTheCubeAndDependOnSeedAndStepAlone) {
    TrainSettings settings;
    settings.background = {0.1f, 0.2f, 0.3f};
    EXPECT_EQ(backgroundAt(settings, 7), settings.background);
    settings.randomBackground = true;
    glm::dvec3 sum(0), squares(0);
    constexpr uint32_t kSteps = 4000;
    for (uint32_t step = 0; step < kSteps; ++step) {
        const glm::dvec3 colour(backgroundAt(settings, step));
        EXPECT_TRUE(glm::all(glm::greaterThanEqual(colour, glm::dvec3(0))) && glm::all(glm::lessThanEqual(colour, glm::dvec3(1))));
        sum += colour, squares += colour * colour;
    }
    for (int c = 0; c < 3; ++c) {  // five standard errors
        EXPECT_NEAR(sum[c] / kSteps, 0.5, 5 * 0.289 / std::sqrt(kSteps));
        EXPECT_NEAR(squares[c] / kSteps, 1.0 / 3, 5 * 0.298 / std::sqrt(kSteps));
    }
    settings.steps = 10;
    const auto schedule = stepSchedule(settings, 1);
    EXPECT_EQ(schedule[9].frame.background, backgroundAt(settings, 9));
    EXPECT_NE(schedule[9].frame.background, schedule[8].frame.background);
    settings.seed = 43;
    EXPECT_NE(backgroundAt(settings, 9), schedule[9].frame.background);
}

// Black splats before an empty picture look right on black, and on no other colour.
TEST(Trainer, RandomBackgroundsTeachTransparency) {
    const reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    auto photographs = photographsOf(scene, 3);
    for (Photograph& p : photographs) {
        std::ranges::fill(p.image.pixels, uint8_t{0});
        p.covers = Coverage::alpha;
        p.coverage = Image8(p.image.width, p.image.height, 1);
    }
    TrainSettings settings = shortRun(120);
    settings.shDegree = 0;
    Gaussians start = blurred(scene.gaussians);
    for (glm::vec3& c : start.sh) c = glm::vec3(-1.7f);
    const auto meanLogit = [&] {
        const TrainedRun run = train(start, photographs, settings);
        double sum = 0;
        for (const float logit : run.gaussians.logitOpacities) sum += static_cast<double>(logit);
        return sum / static_cast<double>(run.gaussians.count());
    };
    const double onBlack = meanLogit();
    settings.randomBackground = true;
    EXPECT_LT(meanLogit(), onBlack - 1);
}

TEST(Trainer, RandomBackgroundsNeedTransparentPixels) {
    const reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    const auto trained = [&](bool random, uint8_t alpha) {
        auto photographs = photographsOf(scene, 3);
        for (Photograph& p : photographs) {
            p.covers = Coverage::alpha;
            p.coverage = Image8(p.image.width, p.image.height, 1);
            std::ranges::fill(p.coverage.pixels, uint8_t{255});
        }
        photographs[2].coverage.pixels[100] = alpha;
        TrainSettings settings = shortRun(12);
        settings.deterministic = true;
        settings.accumulate = "fixed-point";
        settings.randomBackground = random;
        return train(blurred(scene.gaussians), photographs, settings).gaussians;
    };
    expectSameBits(trained(true, 128), trained(false, 128));
    EXPECT_NE(trained(true, 127).means, trained(false, 127).means);
}

/// How many splats have learnt something else than their start after a few steps, where each covers every pixel.
size_t learning(double opaqueBelow) {
    const reference::Scene scene = reference::makeMixedScene(40, 32, 32, 6);
    Gaussians start = overflowing(scene);
    for (float& logit : start.logitOpacities) logit = 1.1f;
    TrainSettings settings = shortRun(4);
    settings.opaqueBelow = opaqueBelow;
    const Gaussians end = train(start, photographsOf(scene, 1), settings).gaussians;
    size_t changed = 0;
    for (size_t i = 0; i < start.count(); ++i)
        if (start.logitOpacities[i] != end.logitOpacities[i]) ++changed;
    return changed;
}

// An opacity of 0.75 leaves a quarter each.
TEST(Trainer, SplatsBehindOpaquePixelsAreNotLearnt) {
    const size_t standard = learning(0), early = learning(0.1);
    EXPECT_GT(early, 0u);
    EXPECT_LT(early, standard);
    EXPECT_EQ(defaultsOf("picture").opaqueBelow, 0) << "a fit reaches 50 dB";
}

TEST(Trainer, MaskedPixelsTeachNothing) {
    const reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    auto photographs = photographsOf(scene, 3);
    for (Photograph& p : photographs) {
        p.covers = Coverage::mask;
        p.coverage = Image8(p.image.width, p.image.height, 1);
        for (size_t i = 0; i < p.coverage.pixels.size(); ++i) p.coverage.pixels[i] = i % 48 < 24 ? 255 : 0;
    }
    TrainSettings settings = shortRun(30);
    settings.accumulate = "fixed-point";
    settings.ssimLambda = 0;  // windows of pixels that count see the photograph of those that do not
    const TrainedRun run = train(blurred(scene.gaussians), photographs, settings);
    for (Photograph& p : photographs)
        for (size_t i = 0; i < p.image.pixels.size(); ++i)
            if (i / 3 % 48 >= 24) p.image.pixels[i] = static_cast<uint8_t>(255 - p.image.pixels[i]);
    const TrainedRun spoilt = train(blurred(scene.gaussians), photographs, settings);
    expectSameBits(run.gaussians, spoilt.gaussians);
    EXPECT_LT(run.losses.back(), run.losses.front());
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
    EXPECT_EQ(schedule[999].frame.shDegree, 0u);
    EXPECT_EQ(shDegreeAt(settings, 1000), 1u);
    EXPECT_EQ(shDegreeAt(settings, 999'999), 3u);
}

TEST(Schedule, RatesStayUntilTheRefinementsEndAndThenFallToTheirFinalFactor) {
    TrainSettings settings;
    settings.steps = 1000;
    settings.densifyUntil = 600;
    settings.lrFinalFactor = 0.01;
    const auto schedule = stepSchedule(settings, 1.0);
    settings.lrFinalFactor = 1;
    const auto constant = stepSchedule(settings, 1.0);
    const auto rates = [](const shared::StepParameters& s) {
        return std::array{s.lrRotations, s.lrScales, s.lrOpacities, s.lrSh0, s.lrShRest};
    };
    EXPECT_EQ(rates(schedule[599]), rates(constant[0]));
    for (size_t i = 0; i < 5; ++i) {
        EXPECT_FLOAT_EQ(rates(schedule[800])[i], 0.1F * rates(constant[800])[i]) << i;
        EXPECT_NEAR(rates(schedule[999])[i] / rates(constant[999])[i], 0.01, 2e-4) << i;
    }
    EXPECT_EQ(schedule[999].lrMeans, constant[999].lrMeans);
}

/// Sums of an earlier run divided by the steps of a later one would be wrong means.
TEST(Trainer, RestoringRestartsAllCosts) {
    const reference::Scene scene = reference::makeMixedScene(120, 64, 48, 8);
    Trainer trainer(testDevice(), testSort(), shortRun(20), overflowing(scene), photographsOf(scene, 3), 1.1);
    const Checkpoint start = trainer.checkpoint();
    trainer.run(20, [](const StepReport&) { return true; });
    const TrainingCosts before = trainer.costs();
    EXPECT_GT(before.seconds, 0);
    EXPECT_GT(before.hostMicroseconds, 0);
    EXPECT_GT(before.pacingWaits, 0u);
    EXPECT_GT(before.repeatedSteps, 0u);
    trainer.restore(start);
    const TrainingCosts costs = trainer.costs();
    EXPECT_EQ(costs.stepsHere, 0u);
    EXPECT_EQ(costs.seconds, 0);
    EXPECT_EQ(costs.hostMicroseconds, 0);
    EXPECT_EQ(costs.waitsInSteps, 0u);
    EXPECT_EQ(costs.pacingWaits, 0u);
    EXPECT_EQ(costs.repeatedSteps, 0u);
    ASSERT_FALSE(costs.stages.empty());
    for (const StageCost& stage : costs.stages) EXPECT_EQ(stage.milliseconds, 0) << stage.name;
}

}  // namespace
}  // namespace splat
