// What is tried after an overflow, and that a training run goes on where the first attempt does not fit.
#include <splatwright/train/step/growth.h>

#include <gtest/gtest.h>

#include <splatwright/render/backward.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/mcmc_settings.h>
#include <splatwright/train/step/trainer.h>
#include "reference/scenes.h"
#include "support/test_device.h"
#include "train/small_runs.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

constexpr StepCapacity kHad{.gaussians = 100'000, .instances = 400'000, .buckets = 0};

TEST(GrowthAttempts, AModelGrowsWithAMarginThenExactlyThenNotAtAll) {
    const auto attempts = growthAttempts(kHad, {.gaussians = 120'000}, 16'000'000);
    const std::vector<StepCapacity> expected{{138'000 + 16'384, 400'000, 0}, {120'000, 480'000, 0}, kHad};
    EXPECT_EQ(attempts, expected);
}

TEST(GrowthAttempts, ListsGrowWithAMarginThenExactly) {
    const auto attempts = growthAttempts(kHad, {.instances = 500'000}, 16'000'000);
    const std::vector<StepCapacity> expected{{100'000, 625'000, 0}, {100'000, 500'000, 0}};
    EXPECT_EQ(attempts, expected);
    const auto buckets = growthAttempts({100, 400, 50}, {.buckets = 60}, 16'000'000);
    EXPECT_EQ(buckets, (std::vector<StepCapacity>{{100, 400, 75}, {100, 400, 60}}));
}

TEST(GrowthAttempts, NothingGrowsBeyondTheLimit) {
    for (const uint32_t limit : {120'000u, 130'000u, 179'000u, 181'000u}) {
        const auto attempts = growthAttempts(kHad, {.gaussians = 120'000, .instances = 500'000}, limit);
        for (const StepCapacity& a : attempts) EXPECT_LE(a.gaussians, limit);
        EXPECT_EQ(attempts.front().gaussians, limit < 180'000 ? limit : 154'384u) << limit;
        EXPECT_EQ(attempts.back(), (StepCapacity{100'000, 500'000, 0}));
    }
}

constexpr size_t kStart = 250;
constexpr uint32_t kSteps = 22;

/// mcmc without a limit of its own, which multiplies the model by 1.6 every three steps.
TrainSettings growingSettings(const std::string& accumulate, uint32_t maxSplats) {
    TrainSettings settings = defaultsOf("mcmc");
    settings.steps = kSteps;
    settings.accumulate = accumulate;
    settings.densifyFrom = 1;
    settings.densifyInterval = 3;
    settings.of<McmcSettings>().growFactor = 1.6;
    settings.maxSplats = maxSplats;
    return settings;
}

struct Outcome {
    uint32_t gaussians = 0, capacity = 0;
    int64_t startBytes = 0;
    Checkpoint checkpoint;
};

/// Without the kernels that test themselves on first use, for which there is less memory in these tests than they need.
gpu::DeviceOptions plainOptions() { return testDeviceOptions({"subgroup-operations"}); }

/// Trains on a device of its own.
Outcome grown(const gpu::DeviceOptions& options, const std::string& accumulate = "fixed-point", uint32_t maxSplats = 0) {
    gpu::Device device(options);
    const primitives::RadixSort sort(device);
    const reference::Scene scene = reference::makeMixedScene(kStart, 24, 20, 8);
    Trainer trainer(device, sort, growingSettings(accumulate, maxSplats), blurred(scene.gaussians), photographsOf(scene, 4), 1.1);
    Outcome outcome{.startBytes = device.memoryInUse()};
    trainer.run(kSteps, [](const StepReport&) { return true; });
    outcome.checkpoint = trainer.checkpoint();
    outcome.gaussians = outcome.checkpoint.value<uint32_t>("gaussians");
    outcome.capacity = trainer.model().capacity;
    EXPECT_EQ(device.validationMessages(), 0u);
    return outcome;
}

class Growth : public testing::TestWithParam<std::string> {};

TEST_P(Growth, GoesOnBeyondWhatOneBufferOfAllCoefficientsHeld) {
    gpu::DeviceOptions options = plainOptions();
    options.bindingLimit = VkDeviceSize{256} << 10u;
    const uint32_t most = [&] {
        gpu::Device device(options);
        EXPECT_EQ(device.limits().maxStorageBufferRange, options.bindingLimit);
        return mostGaussians(device, accumulationByName(GetParam()));
    }();
    constexpr uint64_t kAllMomentsBytes = 15 * 2 * 12;  // of all SH coefficients, which one buffer held at commit 662b8b4
    EXPECT_GT(most, 3 * options.bindingLimit / kAllMomentsBytes);
    const Outcome limited = grown(options, GetParam());
    EXPECT_EQ(limited.gaussians, most);
    EXPECT_EQ(limited.capacity, most);
    if (!accumulationByName(GetParam()).deterministic) return;
    const Outcome free = grown(plainOptions(), GetParam(), most);
    expectSameBytes(limited.checkpoint.sections, free.checkpoint.sections);
}
INSTANTIATE_TEST_SUITE_P(Accumulations, Growth, testing::Values("fixed-point", "subtile"),
                         [](const auto& p) { return p.param == "subtile" ? "subtile" : "fixed"; });

TEST(GrowthInScarceMemory, IsTriedAgainWithoutItsMarginAndThenStops) {
    const Outcome free = grown(plainOptions());
    EXPECT_GT(free.gaussians, 4 * kStart);
    EXPECT_GT(free.capacity, free.gaussians + 5000);  // the margin
    gpu::DeviceOptions options = plainOptions();
    options.memoryLimit = static_cast<VkDeviceSize>(free.startBytes) + (VkDeviceSize{8} << 20u);
    const Outcome exact = grown(options);
    EXPECT_EQ(exact.gaussians, free.gaussians);
    EXPECT_LT(exact.capacity, free.gaussians + 256);
    expectSameBytes(exact.checkpoint.sections, free.checkpoint.sections);
    options.memoryLimit = static_cast<VkDeviceSize>(free.startBytes) + (VkDeviceSize{512} << 10u);
    const Outcome stopped = grown(options);
    EXPECT_LT(stopped.gaussians, free.gaussians);
    EXPECT_GT(stopped.gaussians, kStart);
}

}  // namespace
}  // namespace splat
