// Runs whose loss or gaussians stop being finite.
#include <splatwright/train/step/divergence.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/train/checkpoint/checkpoint.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

TEST(Divergence, IsALossThatIsNotFiniteOrMoreThanOneGaussianInAHundred) {
    const auto report = [](double loss) { return StepReport{.step = 7, .loss = loss, .gaussians = 1000}; };
    EXPECT_FALSE(divergenceOf(report(0.1), 0));
    EXPECT_FALSE(divergenceOf(report(0.1), 10));
    for (const double loss : {kNan, kInfinity, -kInfinity}) {
        const auto diverged = divergenceOf(report(loss), 0);
        ASSERT_TRUE(diverged);
        EXPECT_NE(std::string(diverged->what()).find("step 7"), std::string::npos) << diverged->what();
    }
    const auto diverged = divergenceOf(report(0.1), 11);
    ASSERT_TRUE(diverged);
    EXPECT_NE(std::string(diverged->what()).find("11 of 1000 gaussians"), std::string::npos) << diverged->what();
    EXPECT_EQ(diverged->report.step, 7u);
}

struct Diverging : testing::Test {
    reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    std::vector<Photograph> photographs = photographsOf(scene, 3);
    Gaussians start = blurred(scene.gaussians);
    std::vector<uint32_t> reported;

    Trainer trainer(const TrainSettings& settings) const { return {testDevice(), testSort(), settings, start, photographs, 1.1}; }

    /// The step at which the run says that it has diverged; 0: it has not.
    uint32_t divergesAt(Trainer& trainer, uint32_t until) {
        try {
            trainer.run(until, [&](const StepReport& report) {
                EXPECT_TRUE(std::isfinite(report.loss)) << report.step;
                reported.push_back(report.step);
                return true;
            });
        } catch (const Diverged& problem) {
            EXPECT_NE(std::string(problem.what()).find(fmt::format("step {}", problem.report.step)), std::string::npos) << problem.what();
            return problem.report.step;
        }
        return 0;
    }
};

/// A rate that makes NaN of a parameter as soon as it is more than single precision holds.
TEST_F(Diverging, EveryRateThatIsNoNumberAnyMoreIsFoundAtItsStep) {
    const std::pair<const char*, double TrainSettings::*> rates[] = {{"means", &TrainSettings::lrMeans},
                                                                     {"rotations", &TrainSettings::lrRotations},
                                                                     {"scales", &TrainSettings::lrScales},
                                                                     {"opacities", &TrainSettings::lrOpacities},
                                                                     {"sh0", &TrainSettings::lrSh0}};
    for (const auto& [name, rate] : rates) {
        TrainSettings settings = shortRun(40);
        Trainer run = trainer(settings);
        EXPECT_EQ(divergesAt(run, 10), 0u) << name;
        settings.*rate = settings.lrMeansFinal = 1e60;
        if (rate != &TrainSettings::lrMeans) settings.lrMeansFinal = 1.6e-6;
        run.change(settings);
        reported.clear();
        EXPECT_EQ(divergesAt(run, 40), 11u) << name;
        EXPECT_TRUE(reported.empty()) << name;
        EXPECT_EQ(run.costs().waitsInSteps, 0u);
    }
}

TEST_F(Diverging, StaysSoUntilItIsRestoredFromBefore) {
    TrainSettings settings = shortRun(40);
    settings.accumulate = "fixed-point";
    const TrainedRun whole = train(start, photographs, settings);
    Trainer run = trainer(settings);
    EXPECT_EQ(divergesAt(run, 10), 0u);
    const Checkpoint sound = run.checkpoint();
    TrainSettings wild = settings;
    wild.lrSh0 = 1e60;
    run.change(wild);
    EXPECT_EQ(divergesAt(run, 40), 11u);
    EXPECT_THROW(run.checkpoint(), Diverged);
    run.change(settings);
    EXPECT_EQ(divergesAt(run, 40), 11u);
    run.restore(sound);
    EXPECT_EQ(run.stepsDone(), 10u);
    EXPECT_EQ(divergesAt(run, 40), 0u);
    expectSameBits(whole.gaussians, run.model().download(testDevice(), 3));
}

/// Colours so large that the loss overflows, though every number of every gaussian is finite.
TEST_F(Diverging, ALossThatIsNotFiniteIsFoundWhereAllGaussiansAre) {
    for (glm::vec3& c : start.sh) c = glm::vec3(1e30f);
    Trainer run = trainer(shortRun(5));
    EXPECT_EQ(divergesAt(run, 5), 1u);
}

}  // namespace
}  // namespace splat
