// Benchmarks of pictures and training steps: what is verified and timed.
#include <algorithm>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <splatwright/train/bench/accumulation_bench.h>
#include <splatwright/train/bench/forward_bench.h>
#include <splatwright/train/bench/step_bench.h>
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

const reference::Scene& scene() {
    static const reference::Scene kScene = reference::makeMixedScene(200, 64, 48, 4);
    return kScene;
}

primitives::BenchRow forwardRow(const Gaussians& gaussians, glm::vec3 background = glm::vec3(0)) {
    GaussianModel model(testDevice(), static_cast<uint32_t>(gaussians.count()));
    model.upload(testDevice(), gaussians);
    const Photograph photograph = photographsOf(scene(), 1).front();
    return benchForward(testDevice(), testSort(), {model, gaussians.shDegree, background}, photograph, {.runs = 3});
}

Gaussians unseen() {
    Gaussians gaussians = scene().gaussians;
    std::ranges::fill(gaussians.logitOpacities, -20.0f);
    return gaussians;
}

TEST(ForwardBench, APictureIsVerifiedAndTimed) {
    const primitives::BenchRow row = forwardRow(scene().gaussians);
    EXPECT_TRUE(row.verified);
    EXPECT_EQ(row.n, 200u);
    EXPECT_EQ(row.subject, "0, 64x48");
    EXPECT_EQ(row.note, "inf dB to the training image");
    EXPECT_EQ(row.median_ms > 0, testDevice().has(gpu::Feature::timestamps));
    EXPECT_LE(row.min_ms, row.median_ms);
    EXPECT_LE(row.median_ms, row.max_ms);
}

TEST(ForwardBench, APictureThatIsEmptyOrNotFiniteIsNotTimed) {
    for (const primitives::BenchRow& row :
         {forwardRow(unseen()), forwardRow(scene().gaussians, glm::vec3(std::numeric_limits<float>::infinity()))}) {
        EXPECT_FALSE(row.verified);
        EXPECT_EQ(row.max_ms, 0);
    }
}

TEST(StepBench, StagesAddUpToTheWhole) {
    const auto rows = benchStep(testDevice(), testSort(), scene().gaussians, photographsOf(scene(), 3), {.runs = 1});
    const bool timed = testDevice().has(gpu::Feature::timestamps);
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows.front().variant, "whole");
    EXPECT_GT(std::stod(rows.front().note.substr(std::string("loss ").size())), 0.15)
        << "splats that fit begin grey: " << rows.front().note;
    double sum = 0;
    std::set<std::string> stages;
    for (const primitives::BenchRow& row : rows) {
        EXPECT_TRUE(row.verified) << row.variant;
        EXPECT_EQ(row.n, 200u);
        EXPECT_EQ(row.subject, "3 views, 64x48");
        if (row.variant != "whole") sum += row.median_ms;
        EXPECT_TRUE(stages.insert(row.variant).second) << row.variant;
    }
    EXPECT_NEAR(sum, rows.front().median_ms, 1e-9);
    EXPECT_EQ(sum > 0, timed);
    for (const char* stage : {"project", "blend", "blend backward", "update"}) EXPECT_EQ(stages.contains(stage), timed) << stage;
}

TEST(StepBench, EveryTimedStepCounts) {
    if (!testDevice().has(gpu::Feature::timestamps)) GTEST_SKIP() << testDevice().name() << " has no timestamps";
    const auto rows = benchStep(testDevice(), testSort(), scene().gaussians, photographsOf(scene(), 2), {.runs = 3});
    for (const primitives::BenchRow& row : rows) EXPECT_TRUE(0 < row.min_ms && row.min_ms < row.max_ms) << row.variant;
}

TEST(StepBench, NothingIsTimedUnlessTheLossFalls) {
    EXPECT_TRUE(lossFalls(std::vector<double>{3, 4, 9, 2, 4}, 2));
    EXPECT_FALSE(lossFalls(std::vector<double>{3, 4, 0, 4, 3}, 2)) << "other losses of the same images";
    EXPECT_FALSE(lossFalls(std::vector<double>{3, 4, 1}, 2)) << "less than two passes";
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(lossFalls(std::vector<double>{3, 4, 1, kNone}, 2));

    const auto rows = benchStep(testDevice(), testSort(), unseen(), photographsOf(scene(), 2), {.runs = 1});
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_FALSE(rows[0].verified);
    EXPECT_EQ(rows[0].max_ms, 0);
}

TEST(AccumulationLimit, MethodsThatWouldTakeTooLongAreSkipped) {
    GaussianModel model(testDevice(), static_cast<uint32_t>(scene().gaussians.count()));
    model.upload(testDevice(), scene().gaussians);
    const auto benchWithin = [&](double mostMs) {
        return benchAccumulation(testDevice(), testSort(), {model, scene().gaussians.shDegree}, photographsOf(scene(), 1).front(),
                                 {.runs = 1, .mostMs = mostMs});
    };
    const AccumulationBench skipped = benchWithin(1e-9);
    EXPECT_EQ(skipped.runs.size(), accumulationTable().size()) << "one row per method";
    for (const AccumulationRun& run : skipped.runs) {
        EXPECT_TRUE(run.times.skipped && !run.times.verified) << run.method;
        EXPECT_TRUE(run.times.note.starts_with("not run: predicted")) << run.times.note;
        EXPECT_EQ(run.times.n, skipped.instances);
    }
    for (const AccumulationRun& run : benchWithin(1e9).runs) EXPECT_TRUE(run.times.verified && !run.times.skipped) << run.method;
}

}  // namespace
}  // namespace splat
