// What tells whether a training is healthy: measurements of the model on the GPU, errors relative to flat pictures, and how reports carry both.
#include <splatwright/train/parts/health_meter.h>

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/refinement.h>
#include <splatwright/train/evaluate/flat_picture.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/watch/health_sampler.h>
#include "support/gpu_scene.h"
#include "support/spoilers.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

constexpr double kExtent = 1.1;
constexpr uint32_t kSlots = 8;

TrainSettings pruning(double opacity) {
    TrainSettings settings;
    settings.pruneOpacity = opacity;
    return settings;
}

/// Gaussians of all opacities and sizes, some with numbers that are not finite; none so near a threshold that single precision may differ.
Gaussians varied(size_t count) {
    Gaussians gaussians;
    gaussians.resize(count, 0);
    Rng rng(count);
    for (size_t i = 0; i < count; ++i) {
        gaussians.rotations[i] = glm::vec4(1, 0, 0, 0);
        gaussians.logitOpacities[i] = static_cast<float>(rng.uniform(-9, 6));
        for (int k = 0; k < 3; ++k) gaussians.logScales[i][k] = static_cast<float>(rng.uniform(-8, 1));
        if (rng.uniform() < 0.1) gaussians.means[i].y = std::numeric_limits<float>::quiet_NaN();
    }
    return gaussians;
}

/// The same in double precision; counts may differ by those that are at a threshold.
ModelHealth referenceHealth(const Gaussians& gaussians, double pruneOpacity) {
    ModelHealth sum;
    for (size_t i = 0; i < gaussians.count(); ++i) {
        const bool usable = std::isfinite(gaussians.means[i].y);
        const double opacity = 1 / (1 + std::exp(-static_cast<double>(gaussians.logitOpacities[i])));
        const glm::vec3 s = gaussians.logScales[i];
        if (usable) sum.meanOpacity += opacity;
        if (!usable || opacity <= pruneOpacity) sum.deadShare += 1;
        if (usable && opacity > pruneOpacity && opacity <= 2 * pruneOpacity) sum.fadingShare += 1;
        if (usable && std::exp(static_cast<double>(std::max({s.x, s.y, s.z}))) > kExtent) sum.largeShare += 1;
    }
    const auto count = static_cast<double>(gaussians.count());
    return {sum.meanOpacity / count, sum.deadShare / count, sum.fadingShare / count, sum.largeShare / count};
}

/// One measurement after so many submissions, of a model with capacity for more Gaussians.
std::vector<glm::vec4> measure(const Gaussians& gaussians, double pruneOpacity, uint32_t serial, bool halted, uint32_t more = 0) {
    gpu::Device& device = testDevice();
    GaussianStore store(device, GaussianStore::roundedCapacity(gaussians.count() + more), false);
    store.model.upload(device, gaussians);
    const FrameBuffers frame(device, {.gaussians = store.model.capacity, .instances = 64, .width = 16, .height = 16});
    device.upload(frame.state, std::vector{shared::FrameState{.halted = halted ? 1u : 0u}});
    const gpu::Buffer training = device.buffer<shared::TrainingState>("training", 1);
    device.upload(training, std::vector{shared::TrainingState{.step = 100, .serial = serial, .unusable = 0}});
    const gpu::Buffer refinement = device.buffer<shared::Refinement>("refinement", 1);
    const gpu::Buffer ring = device.buffer<glm::vec4>("ring", kSlots);
    const TrainSettings settings = pruning(pruneOpacity);
    const HealthMeter meter({device, testSort(), settings, kExtent});
    const RefinementTools tools(device, testSort(), settings);
    const RefineJob job{.store = store, .frame = frame, .training = training, .refinement = refinement, .tools = tools, .limit = 0};
    device.run("measure", [&](gpu::Commands& c) {
        c.fill(ring, 0);
        tools.recordBegin(c, job);
        meter.record(c, job, ring, kSlots);
    });
    EXPECT_EQ(store.count(), gaussians.count());
    return device.download<glm::vec4>(ring, kSlots);
}

ModelHealth healthOf(const Gaussians& gaussians, double pruneOpacity) {
    return HealthMeter::healthOf(measure(gaussians, pruneOpacity, 0, false)[0], static_cast<uint32_t>(gaussians.count()));
}

// One Gaussian, one group and its neighbours, and more than one per thread of all groups.
TEST(HealthMeter, IsTheReference) {
    for (const size_t count : {size_t{1}, size_t{255}, size_t{256}, size_t{257}, size_t{5000}, size_t{512 * 256 + 300}}) {
        const Gaussians gaussians = varied(count);
        for (const double pruneOpacity : {0.005, 0.02, 0.4}) {
            SCOPED_TRACE(testing::Message() << count << " Gaussians, " << pruneOpacity);
            const ModelHealth found = healthOf(gaussians, pruneOpacity), expected = referenceHealth(gaussians, pruneOpacity);
            const double atThresholds = count > 1000 ? 2e-5 : 1e-9;
            EXPECT_NEAR(found.meanOpacity, expected.meanOpacity, 1e-6);
            EXPECT_NEAR(found.deadShare, expected.deadShare, atThresholds);
            EXPECT_NEAR(found.fadingShare, expected.fadingShare, atThresholds);
            EXPECT_NEAR(found.largeShare, expected.largeShare, atThresholds);
        }
    }
}

TEST(HealthMeter, CountsWhatCannotBeDrawnAsDead) {
    const Gaussians own = reference::makeScene("mixed").gaussians, spoilt = withSpoilt(own);
    const double dead = static_cast<double>(own.count()) * healthOf(own, 0.001).deadShare;
    // Spoilt colours do no harm to a shape.
    const auto shapes = static_cast<double>(std::ranges::count_if(spoilers(), [](const Spoiler& s) { return !s.name.starts_with("sh"); }));
    EXPECT_NEAR(static_cast<double>(spoilt.count()) * healthOf(spoilt, 0.001).deadShare, dead + 2 * shapes, 1e-3);
}

TEST(HealthMeter, WritesTheSlotOfItsSubmissionAndTheSameBitsForAnyCapacity) {
    const Gaussians gaussians = varied(5000);
    const glm::vec4 expected = measure(gaussians, 0.02, 0, false)[0];
    const std::vector<glm::vec4> ring = measure(gaussians, 0.02, 3 * kSlots + 5, false, 1'000'000);
    for (uint32_t slot = 0; slot < kSlots; ++slot) EXPECT_EQ(ring[slot], slot == 5 ? expected : glm::vec4(0)) << slot;
}

TEST(HealthMeter, ChangesNothingWhileTheFrameIsHalted) { EXPECT_EQ(measure(varied(300), 0.02, 0, true)[0], glm::vec4(0)); }

TEST(HealthMeter, EveryHundredthStepIsReportedWithTheHealthOfItsModel) {
    const reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    const std::vector<Photograph> photographs = photographsOf(scene, 3);
    TrainSettings settings = shortRun(250);
    settings.accumulate = "fixed-point";
    Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), photographs, kExtent);
    std::vector<uint32_t> measured;
    std::optional<ModelHealth> last;
    uint32_t steps = 0;
    trainer.run(200, [&](const StepReport& report) {
        EXPECT_EQ(report.step, ++steps) << "in order";
        EXPECT_LT(report.view, 3u);
        if (report.health) measured.push_back(report.step);
        last = report.health;
        return true;
    });
    EXPECT_EQ(measured, (std::vector<uint32_t>{100, 200}));
    const ModelHealth expected = healthOf(trainer.model().download(testDevice(), 0), settings.pruneOpacity);
    ASSERT_TRUE(last);
    EXPECT_EQ(last->meanOpacity, expected.meanOpacity);
    EXPECT_EQ(trainer.costs().waitsInSteps, 0u);
}

TEST(HealthMeter, IsMeasuredBeforeTheRefinementOfItsStep) {
    const reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    TrainSettings settings = shortRun(100);
    settings.accumulate = "fixed-point";
    settings.densifyFrom = 0;
    settings.densifyInterval = 100;
    settings.densifyUntil = 1000;
    settings.of<DefaultStrategySettings>().growGrad2d = 1e-5;
    std::vector<ModelHealth> measured;
    std::vector<uint32_t> counts;
    for (const char* strategy : {"fixed", "default"}) {
        settings.strategy = strategy;
        Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), photographsOf(scene, 3), kExtent);
        trainer.run(100, [&](const StepReport& report) {
            if (report.health) measured.push_back(*report.health);
            return true;
        });
        counts.push_back(trainer.checkpoint().value<uint32_t>("gaussians"));
    }
    EXPECT_GT(counts[1], counts[0]) << "it was refined";
    ASSERT_EQ(measured.size(), 2u);
    EXPECT_EQ(measured[0].meanOpacity, measured[1].meanOpacity);
    EXPECT_GT(measured[0].meanOpacity, 0.1);
}

/// A photograph of two colours, whose mask leaves out a pixel of a third one.
TEST(FlatPicture, HasTheMeanColourOfWhatCounts) {
    Photograph photograph{.name = "a", .camera = {}, .image = Image8(4, 1, 3)};
    photograph.image.pixels = {10, 20, 30, 10, 20, 30, 50, 20, 90, 255, 255, 255};
    photograph.covers = Coverage::mask;
    photograph.coverage = Image8(4, 1, 1);
    photograph.coverage.pixels = {255, 255, 255, 0};
    const Image8 flat = flatPicture(photograph, glm::vec3(0));
    for (int x = 0; x < 4; ++x) {
        EXPECT_EQ(flat.at(x, 0)[0], 23);
        EXPECT_EQ(flat.at(x, 0)[1], 20);
        EXPECT_EQ(flat.at(x, 0)[2], 50);
    }
    EXPECT_NEAR(flatError(photograph, glm::vec3(0)), (40 + 60) / (12 * 255.0), 1e-12) << "of the median, (10, 20, 30)";
    photograph.coverage.pixels = {0, 0, 0, 0};
    EXPECT_EQ(flatError(photograph, glm::vec3(0)), 0) << "nothing counts";
}

TEST(FlatPicture, IsOverTheBackground) {
    Photograph photograph{.name = "a", .camera = {}, .image = Image8(2, 1, 3)};
    photograph.image.pixels = {100, 100, 100, 0, 0, 0};
    photograph.covers = Coverage::alpha;
    photograph.coverage = Image8(2, 1, 1);
    photograph.coverage.pixels = {255, 0};
    EXPECT_EQ(flatPicture(photograph, glm::vec3(1)).at(0, 0)[0], 178);
    EXPECT_EQ(flatPicture(photograph, glm::vec3(0)).at(0, 0)[0], 50);
    EXPECT_NEAR(flatError(photograph, glm::vec3(1)), 155 / (2 * 255.0), 1e-12);
}

/// Whatever its colour, a flat picture is at best as good as this.
TEST(FlatPicture, HasTheLeastErrorOfAllColours) {
    Photograph photograph{.name = "a", .camera = {}, .image = Image8(9, 1, 3)};
    Rng rng(5);
    for (uint8_t& value : photograph.image.pixels) value = static_cast<uint8_t>(rng.below(256));
    double least = 0;
    for (size_t channel = 0; channel < 3; ++channel) {
        uint64_t best = UINT64_MAX;
        for (int colour = 0; colour < 256; ++colour) {
            uint64_t sum = 0;
            for (size_t i = channel; i < 27; i += 3) sum += static_cast<uint64_t>(std::abs(colour - int{photograph.image.pixels[i]}));
            best = std::min(best, sum);
        }
        least += static_cast<double>(best) / (27 * 255.0);
    }
    EXPECT_NEAR(flatError(photograph, glm::vec3(0)), least, 1e-12);
}

StepReport reportOf(uint32_t step, double l1, uint32_t view) {
    StepReport report{.step = step, .loss = 1, .losses = {{"dssim", 0.2, 0.9}, {"l1", 0.8, l1}}, .view = view};
    if (step % 100 == 0) report.health = ModelHealth{.meanOpacity = 0.5};
    return report;
}

TEST(HealthSampler, RelatesTheErrorsOfStepsToThoseOfFlatPictures) {
    HealthSampler sampler({0.1, 0.3});
    for (uint32_t step = 1; step < 100; ++step) EXPECT_FALSE(sampler.add(reportOf(step, 0.04, step % 2)));
    const auto sample = sampler.add(reportOf(100, 0.04, 0));
    ASSERT_TRUE(sample && sample->relativeError);
    EXPECT_EQ(sample->step, 100u);
    EXPECT_EQ(sample->model.meanOpacity, 0.5);
    EXPECT_NEAR(*sample->relativeError, 0.04 / 0.2, 1e-12);
    HealthSampler resumed({0.1, 0.3});
    for (uint32_t step = 101; step <= 150; ++step) sampler.add(reportOf(step, 0.1, 1));
    resumed.continueFrom(sampler.sums());
    for (uint32_t step = 151; step < 200; ++step) {
        sampler.add(reportOf(step, 0.02, 0));
        resumed.add(reportOf(step, 0.02, 0));
    }
    const auto next = sampler.add(reportOf(200, 0.02, 0)), same = resumed.add(reportOf(200, 0.02, 0));
    EXPECT_EQ(*next->relativeError, *same->relativeError);
    EXPECT_NEAR(*next->relativeError, (0.1 + 0.02) / (0.1 + 0.3), 1e-12) << "only of the steps since";
}

TEST(HealthSampler, SaysNothingOfErrorsWithoutContrastOrWithoutTheTerm) {
    HealthSampler flat({0.001});
    EXPECT_FALSE(flat.add(reportOf(100, 0.04, 0))->relativeError);
    HealthSampler other({0.2});
    StepReport report = reportOf(100, 0.04, 0);
    report.losses = {{"l2", 1, 0.1}};
    EXPECT_FALSE(other.add(report)->relativeError);
}

}  // namespace
}  // namespace splat
