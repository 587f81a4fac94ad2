#include <splatwright/train/session/withheld_scorer.h>

#include <gtest/gtest.h>

#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

struct Scored {
    std::vector<double> psnrs;
    int64_t before = 0, after = 0;  ///< memory in use, bytes
    Gaussians trained;
};

/// Trains on a device with so much memory, and scores its views half way.
Scored scoredWithin(int64_t memory) {
    gpu::DeviceOptions options = testDeviceOptions();
    options.memoryLimit = static_cast<VkDeviceSize>(memory);
    gpu::Device device(options);
    const primitives::RadixSort sort(device);
    const reference::Scene scene = reference::makeMixedScene(2000, 96, 64, 5);
    const std::vector<Photograph> photographs = photographsOf(scene, 3);
    TrainSettings settings = shortRun(20);
    settings.accumulate = "fixed-point";
    Trainer trainer(device, sort, settings, blurred(scene.gaussians), photographs, 1.1);
    const auto onStep = [](const StepReport&) { return true; };
    trainer.run(10, onStep);
    WithheldScorer scorer(device, sort, photographs, settings.background);
    Scored scored;
    scored.before = device.memoryInUse();
    scored.psnrs = scorer.psnrs(trainer);
    scored.after = device.memoryInUse();
    trainer.run(20, onStep);
    scored.trained = trainer.model().download(device, 3);
    EXPECT_EQ(device.validationMessages(), 0u);
    return scored;
}

constexpr int64_t kPlenty = int64_t{1} << 30u;

TEST(WithheldScorer, DrawsBesideTheTraining) {
    const Scored scored = scoredWithin(kPlenty);
    ASSERT_EQ(scored.psnrs.size(), 3u);
    EXPECT_GT(scored.after, scored.before) << "the memory of steps is still there";
}

TEST(WithheldScorer, WithoutMemoryForBothItTakesThatOfTheSteps) {
    const Scored plenty = scoredWithin(kPlenty);
    const Scored scarce = scoredWithin(plenty.before + (plenty.after - plenty.before) / 2);
    EXPECT_EQ(scarce.psnrs, plenty.psnrs);
    EXPECT_LT(scarce.after, scarce.before);
    expectSameBits(scarce.trained, plenty.trained);
}

}  // namespace
}  // namespace splat
