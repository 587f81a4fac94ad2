// max_splats is a maximum from the first step on, whatever the cloud that training starts from, and leaves room to grow.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include <splatwright/core/error.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/mcmc_settings.h>
#include <splatwright/train/session/initialise.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/recipes.h"
#include "train/small_runs.h"

namespace splat {
namespace {

constexpr uint32_t kLimit = 200, kSteps = 30;

/// Refines every five steps, with strategy `default` wherever there is a gradient.
TrainSettings limited(std::string_view strategy) {
    TrainSettings settings = defaultsOf(strategy);
    settings.steps = kSteps;
    settings.densifyFrom = 1;
    settings.densifyUntil = kSteps;
    settings.densifyInterval = 5;
    settings.of<DefaultStrategySettings>().growGrad2d = 1e-6;
    settings.of<McmcSettings>().growFactor = 1.5;
    settings.maxSplats = kLimit;
    return settings;
}

std::vector<Point> cloudOf(size_t count) {
    const Gaussians gaussians = reference::makeMixedScene(count, 36, 20, 3).gaussians;
    std::vector<Point> points;
    for (const glm::vec3& mean : gaussians.means) points.push_back({.position = mean, .colour = {128, 128, 128}});
    return points;
}

struct Counts {
    uint32_t first = 0, most = 0, last = 0;
};

Counts countsOf(const TrainSettings& settings, const Gaussians& start) {
    static const std::vector<Photograph> photographs = photographsOf(reference::makeMixedScene(60, 36, 20, 8), 4);
    Trainer trainer(testDevice(), testSort(), settings, start, photographs, 1.1);
    Counts counts{.first = static_cast<uint32_t>(start.count())};
    trainer.run(kSteps, [&](const StepReport& report) {
        counts.most = std::max(counts.most, report.gaussians);
        counts.last = report.gaussians;
        return true;
    });
    counts.last = static_cast<uint32_t>(trainer.model().download(testDevice(), 3).count());
    return counts;
}

struct Cloud {
    const char* name;
    size_t points;
};

class MaxSplats : public testing::TestWithParam<Cloud> {};

TEST_P(MaxSplats, IsNeverExceededAndLeavesRoomToGrow) {
    const std::vector<Point> cloud = cloudOf(GetParam().points);
    for (const DensifierRow* strategy : sceneStrategies()) {
        SCOPED_TRACE(strategy->name);
        const bool grows = strategy->startShare < 1;
        const TrainSettings settings = limited(strategy->name);
        const Counts counts = countsOf(settings, initialGaussians(settings, cloud));
        EXPECT_EQ(counts.first, std::min<size_t>(cloud.size(), grows ? kLimit / 2 : kLimit));
        EXPECT_LE(std::max(counts.most, counts.last), kLimit);
        EXPECT_EQ(counts.last > counts.first, grows);
    }
}

INSTANTIATE_TEST_SUITE_P(Clouds, MaxSplats,
                         testing::Values(Cloud{"half", kLimit / 2}, Cloud{"as_many", kLimit},
                                         Cloud{"one_percent_more", kLimit + kLimit / 100}, Cloud{"three_times", 3 * kLimit},
                                         Cloud{"hundred_times", 100 * kLimit}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(MaxSplats, LimitsARandomStartToo) {
    TrainSettings settings = limited("budget");
    settings.init = "random";
    EXPECT_EQ(initialGaussians(settings, {}).count(), kLimit / 2);
    settings.maxSplats = 1;
    EXPECT_EQ(initialGaussians(settings, {}).count(), 1u);
}

std::string refusalOf(const std::function<void()>& change) {
    try {
        change();
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

/// Strategy `fixed`, of so many Gaussians.
std::unique_ptr<Trainer> trainerOf(size_t gaussians, uint32_t limit) {
    static const std::vector<Photograph> photographs = photographsOf(reference::makeMixedScene(60, 36, 20, 8), 2);
    TrainSettings settings = limited("fixed");
    settings.maxSplats = limit;
    return std::make_unique<Trainer>(testDevice(), testSort(), settings, reference::makeMixedScene(gaussians, 36, 20).gaussians,
                                     photographs, 1.1);
}

// Strategies have no way to choose which Gaussians to give up for a new maximum.
TEST(MaxSplats, BelowWhatThereIsIsRefused) {
    constexpr const char* kRefusal = "max_splats is 50, expected 0 or at least 60, the Gaussians that there are";
    const auto sixty = trainerOf(60, 60), nine = trainerOf(9, 50);
    TrainSettings fewer = sixty->settings();
    fewer.maxSplats = 50;
    EXPECT_EQ(refusalOf([&] { sixty->change(fewer); }), kRefusal);
    EXPECT_EQ(refusalOf([&] { nine->restore(sixty->checkpoint()); }), kRefusal);
    EXPECT_EQ(refusalOf([&] { trainerOf(60, 50); }), kRefusal);
    EXPECT_EQ(sixty->settings().maxSplats, 60u);
}

}  // namespace
}  // namespace splat
