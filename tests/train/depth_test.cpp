// Depth supervision: its loss against a double-precision reference, its gradient against finite differences through the whole chain, and what
// training makes of it.
#include <gtest/gtest.h>

#include <algorithm>

#include <splatwright/core/rng.h>
#include <splatwright/render/backward.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/loss/loss.h>
#include <splatwright/train/model/optimizer.h>
#include <splatwright/train/parts/check_settings.h>
#include <splatwright/train/parts/depth_settings.h>
#include <splatwright/train/step/schedule.h>
#include "reference/render.h"
#include "reference/scenes.h"
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/part_bench.h"
#include "train/small_runs.h"
#include "train/step_buffer.h"

namespace splat {
namespace {

constexpr double kExtent = 1.1;

TrainSettings supervisedBy(const char* depth, TrainSettings settings = {}) {
    settings.of<DepthSettings>().depth = depth;
    return settings;
}

const LossTerm& depthTerm() { return (*std::ranges::find(stepPartTable(), "depth", &StepPartRow::name))->terms[0]; }

double expectedInverse(const DepthMap& map, size_t pixel) { return std::max(0.0, map.values.pixels[pixel] * map.scale + map.shift); }

/// The loss of one picture and its gradient, as the documentation defines them.
struct ReferenceLoss {
    double value = 0;
    std::vector<double> gradient;

    ReferenceLoss(const std::vector<double>& rendered, const DepthMap& map) : gradient(rendered.size()) {
        const auto known = std::ranges::count_if(map.values.pixels, [](uint16_t v) { return v > 0; });
        for (size_t i = 0; i < rendered.size(); ++i) {
            if (map.values.pixels[i] == 0) continue;
            const double difference = rendered[i] - expectedInverse(map, i);
            value += kExtent * std::abs(difference) / static_cast<double>(known);
            gradient[i] = kExtent * ((difference > 0) - (difference < 0)) / static_cast<double>(known);
        }
    }
};

/// A third of the pixels is unknown.
DepthMap randomMap(int width, int height, uint64_t seed) {
    Rng rng(seed);
    DepthMap map{.values = Image16(width, height, 1), .scale = 1.7e-5, .shift = -0.2};
    for (uint16_t& value : map.values.pixels) value = rng.uniform() < 0.3 ? uint16_t{0} : static_cast<uint16_t>(1 + rng.below(65535));
    map.values.pixels.back() = 40'000;
    return map;
}

std::vector<double> randomDepths(size_t count, uint64_t seed) {
    Rng rng(seed);
    std::vector<double> depths(count);
    for (double& depth : depths) depth = static_cast<double>(static_cast<float>(rng.uniform(0, 1)));
    return depths;
}

/// An image with this depth map.
std::vector<Photograph> imageWith(const DepthMap& map) {
    const Camera camera{.width = map.values.width, .height = map.values.height, .fx = 50, .fy = 50};
    std::vector<Photograph> images(1);
    images[0] = {.name = "a", .camera = camera, .image = Image8(camera.width, camera.height, 3), .depth = map};
    return images;
}

struct GpuLoss {
    double value = 0;
    std::vector<float> gradient;
};

/// The part's result for a step with this weight.
GpuLoss gpuLoss(const std::vector<double>& rendered, const DepthMap& map, float weight) {
    gpu::Device& device = testDevice();
    PartBench bench(supervisedBy("maps"), imageWith(map), kExtent);
    const auto part = bench.part("depth", 1);
    FrameCapacity capacity{.gaussians = 1,
                           .instances = 1,
                           .width = static_cast<uint32_t>(map.values.width),
                           .height = static_cast<uint32_t>(map.values.height)};
    part->demand(capacity);
    const AccumulationRow& row = accumulationByName("subtile");
    capacity.transientBytes = BackwardBuffers::transientBytes(capacity, row) + part->transientBytes(capacity);
    const FrameBuffers frame(device, capacity);
    gpu::Arena transient = frame.transient();
    const BackwardBuffers backward(device, capacity, row, transient);
    part->makeFrame(transient, capacity);
    device.upload(frame.carried, std::vector<float>(rendered.begin(), rendered.end()));
    const gpu::Buffer step = stepBuffer(device, {.parts = {0, weight}});
    const gpu::Buffer sums = device.buffer<float>("sums", 3);
    StepJob job{.view = {{}, 0, capacity.width, capacity.height},
                .model = bench.store.model,
                .frame = frame,
                .parameters = step,
                .target = bench.targets.of(0)};
    part->select(job.view, 0);
    EXPECT_EQ(job.view.carried, CarriedValue::inverseDepth);
    device.run("loss", [&](gpu::Commands& c) { part->recordLoss(c, job, sums, 2); });
    BackwardJob result{.model = job.model, .frame = frame, .buffers = backward, .view = job.view, .colourGradients = {}};
    part->complete(result);
    return {depthTerm().value(static_cast<double>(device.download<float>(sums, 3)[2]), {}),
            device.download<float>(result.carriedGradients, rendered.size())};
}

// One workgroup has 256 pixels, and all workgroups together 131,072.
TEST(DepthLoss, AgreesWithTheReferenceAcrossTheSizesOfWorkgroups) {
    constexpr std::pair<int, int> kSizes[] = {{1, 1},   {2, 1},   {3, 1},     {15, 17},   {16, 16},
                                              {257, 1}, {33, 31}, {300, 437}, {512, 256}, {1, 131073}};
    for (const auto& [width, height] : kSizes) {
        const DepthMap map = randomMap(width, height, 3);
        const auto rendered = randomDepths(map.values.pixels.size(), 4);
        const ReferenceLoss expected(rendered, map);
        const GpuLoss found = gpuLoss(rendered, map, 0.25f);
        EXPECT_NEAR(found.value, expected.value, 2e-6 * expected.value) << width << "x" << height;
        for (size_t i = 0; i < rendered.size(); ++i) {
            const double gradient = 0.25 * expected.gradient[i];
            ASSERT_NEAR(static_cast<double>(found.gradient[i]), gradient, 1e-6 * std::abs(gradient))
                << width << "x" << height << ", pixel " << i;
        }
    }
}

/// A value that blending carries, and the reference's picture of it.
struct CarriedPicture {
    const char* name;
    CarriedValue value;
    Image<double> reference::Rendering::*expected;
};

class CarriedPictures : public testing::TestWithParam<CarriedPicture> {};

TEST_P(CarriedPictures, AgreeWithTheDoubleReferenceAndLeaveTheColours) {
    gpu::Device& device = testDevice();
    const Forward forward(device, testSort());
    for (const std::string& name : reference::sceneNames()) {
        const reference::Scene scene = reference::makeScene(name, 4);
        const GpuScene gpuScene(device, scene.gaussians, scene.camera, glm::vec3(0.2f));
        ViewSelection view = gpuScene.selection();
        std::vector<std::vector<glm::vec3>> colours;
        for (const CarriedValue carried : {CarriedValue::nothing, GetParam().value}) {
            view.carried = carried;
            device.run("frame", [&](gpu::Commands& c) { forward.record(c, gpuScene.model, gpuScene.frame, view); });
            colours.push_back(device.download<glm::vec3>(gpuScene.frame.colours, gpuScene.frame.capacity.pixels()));
        }
        EXPECT_EQ(colours[0], colours[1]) << name;
        const auto expected = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {});
        const uint32_t numbers = numbersOf(GetParam().value);
        const auto found = device.download<float>(gpuScene.frame.carried, numbers * colours[0].size());
        for (size_t i = 0; i < found.size(); ++i) {
            if (expected.nearCut.pixels[i / numbers]) continue;
            ASSERT_NEAR(static_cast<double>(found[i]), (expected.*GetParam().expected).pixels[i], 2e-5) << name << ", number " << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Values, CarriedPictures,
                         testing::Values(CarriedPicture{"InverseDepth", CarriedValue::inverseDepth, &reference::Rendering::inverseDepth},
                                         CarriedPicture{"Normal", CarriedValue::normal, &reference::Rendering::normal}),
                         [](const auto& value) { return value.param.name; });

TEST(DepthLoss, RerunsAreBitIdentical) {
    const DepthMap map = randomMap(300, 200, 5);
    const auto rendered = randomDepths(map.values.pixels.size(), 6);
    EXPECT_EQ(gpuLoss(rendered, map, 1).value, gpuLoss(rendered, map, 1).value);
}

TEST(DepthLoss, ItsWeightDecaysLogLinearly) {
    TrainSettings settings = supervisedBy("points");
    settings.steps = 1000;
    settings.of<DepthSettings>().depthWeight = 1;
    EXPECT_DOUBLE_EQ(depthTerm().weight(settings, 0), 1);
    EXPECT_NEAR(depthTerm().weight(settings, 500), 0.1, 1e-12);
    settings.of<DepthSettings>().depthWeightFinal = 0;
    EXPECT_DOUBLE_EQ(depthTerm().weight(settings, 500), 0.5) << "linear where a logarithm does not exist";
    EXPECT_EQ(depthTerm().weight({}, 0), 0) << "off by default";
    const auto row = std::ranges::find(stepPartTable(), "depth", &StepPartRow::name);
    EXPECT_EQ(stepSchedule(settings, 1, 0.5)[500].parts[placeOfNumber(**row)], 0.5f) << "no learning rate";
}

// The whole chain: projection, blend and loss forwards; loss, blend, projection and Adam's first moment backwards.

/// Small, with a depth map that differs from the render in both directions. Pixels at a threshold of the blend are unknown.
struct Chain {
    reference::Scene scene = reference::makeMixedScene(12, 40, 30, 7);
    reference::Splats splats = reference::fromGaussians(scene.gaussians);
    DepthMap map{.values = Image16(40, 30, 1), .scale = 2e-5, .shift = 0.01};

    Chain() {
        const reference::Rendering r = reference::render(splats, scene.camera, {.nearCutMargin = 1e-3});
        Rng rng(8);
        for (size_t i = 0; i < map.values.pixels.size(); ++i) {
            const double wanted = r.inverseDepth.pixels[i] * rng.uniform(0.3, 1.7) + 0.03;
            if (!r.nearCut.pixels[i])
                map.values.pixels[i] = static_cast<uint16_t>(std::clamp((wanted - map.shift) / map.scale, 1.0, 65535.0));
        }
    }
    double loss() const { return ReferenceLoss(reference::render(splats, scene.camera, {}).inverseDepth.pixels, map).value; }
};

double centralDifference(double& parameter, const Chain& chain) {
    constexpr double kStep = 1e-6;
    const double kept = parameter;
    parameter = kept + kStep;
    const double more = chain.loss();
    parameter = kept - kStep;
    const double less = chain.loss();
    parameter = kept;
    return (more - less) / (2 * kStep);
}

template <class Vector>
std::vector<double> differences(std::vector<Vector>& parameters, const Chain& chain) {
    std::vector<double> found;
    for (Vector& v : parameters) {
        if constexpr (std::is_same_v<Vector, double>) {
            found.push_back(centralDifference(v, chain));
        } else {
            for (glm::length_t k = 0; k < Vector::length(); ++k) found.push_back(centralDifference(v[k], chain));
        }
    }
    return found;
}

/// First moments after one step are a tenth of the gradient.
template <class Moments>
std::vector<double> gradients(const gpu::BufferSlice& moments, size_t count) {
    std::vector<double> found;
    for (const Moments& m : testDevice().download<Moments>(moments, count)) {
        if constexpr (std::is_same_v<Moments, shared::Moments1>) {
            found.push_back(10 * static_cast<double>(m.m));
        } else {
            for (glm::length_t k = 0; k < m.m.length(); ++k) found.push_back(10 * static_cast<double>(m.m[k]));
        }
    }
    return found;
}

void expectClose(const std::vector<double>& found, const std::vector<double>& expected, const char* name) {
    double difference = 0, size = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        difference += (found[i] - expected[i]) * (found[i] - expected[i]);
        size += expected[i] * expected[i];
    }
    EXPECT_GT(size, 0) << name;
    EXPECT_LE(std::sqrt(difference / size), 1e-3) << name;
}

/// Adam's moments after one step of the depth loss alone.
void stepOnDepth(const Chain& chain, const AccumulationRow& row, bool absolute, const AdamMoments& moments, const GpuScene& gpuScene) {
    gpu::Device& device = testDevice();
    PartBench bench(supervisedBy("maps"), imageWith(chain.map), kExtent);
    const auto part = bench.part("depth", 0);
    const FrameCapacity& capacity = gpuScene.frame.capacity;
    gpu::Arena transient = gpuScene.frame.transient();
    const BackwardBuffers backward(device, capacity, row, transient);
    const gpu::Buffer colourGradients = device.buffer<glm::vec3>("colour gradients", capacity.pixels());
    const gpu::Buffer memory = device.buffer<std::byte>("depth gradients", part->transientBytes(capacity));
    gpu::Arena arena(memory);
    part->makeFrame(arena, capacity);
    const gpu::Buffer statistics = device.buffer<shared::DensifyStatistics>("statistics", gpuScene.model.capacity);
    const gpu::Buffer training = device.buffer<shared::TrainingState>("training", 1);
    const gpu::Buffer step = stepBuffer(device, {.frame = {.shDegree = 3}, .biasCorrection1 = 1, .biasCorrection2 = 1, .parts = {1}});
    const gpu::Buffer sums = device.buffer<float>("sums", 1);
    const Forward forward(device, testSort());
    StepJob job{.view = gpuScene.selection(),
                .model = gpuScene.model,
                .frame = gpuScene.frame,
                .gradients = &backward,
                .parameters = step,
                .target = bench.targets.of(0)};
    part->select(job.view, 0);
    BackwardJob backwards{.model = gpuScene.model,
                          .frame = gpuScene.frame,
                          .buffers = backward,
                          .view = job.view,
                          .colourGradients = colourGradients,
                          .absolute = absolute};
    part->complete(backwards);
    device.run("step", [&](gpu::Commands& c) {
        c.fill(colourGradients, 0);
        forward.record(c, gpuScene.model, gpuScene.frame, job.view);
        part->recordLoss(c, job, sums, 0);
        recordBackward(device, c, row, backwards);
        recordUpdate(c, {.model = gpuScene.model,
                         .moments = moments,
                         .densifyStatistics = statistics,
                         .frame = gpuScene.frame,
                         .gradients = backward,
                         .view = job.view,
                         .step = step,
                         .training = training,
                         .statistics = absolute ? Statistics::absoluteGradient : Statistics::none});
    });
}

class DepthChain : public testing::TestWithParam<std::string> {};

TEST_P(DepthChain, AgreesWithFiniteDifferencesInEveryParameter) {
    Chain chain;
    const size_t count = chain.splats.count();
    for (const bool absolute : {false, true}) {
        const GpuScene gpuScene(testDevice(), chain.scene.gaussians, chain.scene.camera, glm::vec3(0));
        const AdamMoments moments(testDevice(), gpuScene.model.capacity);
        stepOnDepth(chain, accumulationByName(GetParam()), absolute, moments, gpuScene);
        expectClose(gradients<shared::Moments3>(moments[Attribute::means], count), differences(chain.splats.means, chain), "means");
        expectClose(gradients<shared::Moments4>(moments[Attribute::rotations], count), differences(chain.splats.rotations, chain),
                    "rotations");
        expectClose(gradients<shared::Moments3>(moments[Attribute::logScales], count), differences(chain.splats.logScales, chain),
                    "scales");
        expectClose(gradients<shared::Moments1>(moments[Attribute::logitOpacities], count), differences(chain.splats.logitOpacities, chain),
                    "opacities");
        for (const double g : gradients<shared::Moments3>(moments[Attribute::sh0], count)) EXPECT_EQ(g, 0) << "depths have no colour";
    }
}

std::vector<std::string> rowsWithDepths() {
    std::vector<std::string> names = accumulationNames();
    std::erase_if(names, [](const std::string& name) { return !accumulationByName(name).carries; });
    return names;
}
INSTANTIATE_TEST_SUITE_P(AllRows, DepthChain, testing::ValuesIn(rowsWithDepths()), accumulationTestName);

TEST(DepthSupervision, IsRefusedByAccumulationsThatCannotTrainIt) {
    TrainSettings settings = supervisedBy("maps");
    checkTogether(settings);
    settings.accumulate = "bucket";
    EXPECT_THROW(checkTogether(settings), InputError);
    settings.of<DepthSettings>().depth = "off";
    checkTogether(settings);
}

/// The inverse depths that the scene has in a view, as a map; as if of opaque surfaces.
DepthMap trueDepths(const reference::Scene& scene, const Camera& camera) {
    const auto r = reference::render(reference::fromGaussians(scene.gaussians), camera, {});
    DepthMap map{.values = Image16(camera.width, camera.height, 1), .scale = 1.5e-5, .shift = 0};
    for (size_t i = 0; i < map.values.pixels.size(); ++i)
        map.values.pixels[i] = static_cast<uint16_t>(std::clamp(r.inverseDepth.pixels[i] / map.scale, 1.0, 65535.0));
    return map;
}

struct Supervised {
    reference::Scene scene = reference::makeMixedScene(80, 47, 35, 6);  // an odd number of pixels
    std::vector<Photograph> images = photographsOf(scene, 4);

    explicit Supervised(size_t views = 4) {
        for (size_t i = 0; i < views; ++i) images[i].depth = trueDepths(scene, images[i].camera);
    }
    TrainSettings settings(uint32_t steps = 40) const {
        TrainSettings s = supervisedBy("maps", shortRun(steps));
        s.accumulate = "fixed-point";
        return s;
    }
};

TEST(DepthSupervision, TrainingApproachesTheDepths) {
    const Supervised s;
    Gaussians start = blurred(s.scene.gaussians);
    for (glm::vec3& mean : start.means) mean += 0.15f * glm::vec3(glm::transpose(s.scene.camera.rotation)[2]);
    TrainSettings settings = s.settings(200);
    settings.of<DepthSettings>().depthWeight = settings.of<DepthSettings>().depthWeightFinal = 1;
    std::vector<StepReport> reports;
    std::vector<double> errors;
    Trainer trainer(testDevice(), testSort(), settings, start, s.images, kExtent);
    trainer.run(200, [&](const StepReport& report) {
        const auto share = std::ranges::find(report.losses, "depth", &LossShare::name);
        errors.push_back(share->value);
        EXPECT_EQ(share->weight, 1);
        return true;
    });
    const auto mean = [&](size_t first) { return (errors[first] + errors[first + 1] + errors[first + 2] + errors[first + 3]) / 4; };
    EXPECT_LT(mean(196), 0.5 * mean(0));
    EXPECT_EQ(trainer.costs().waitsInSteps, 0u);
}

TEST(DepthSupervision, OfNoViewChangesNoBit) {
    const Supervised none(0);
    TrainSettings settings = none.settings();
    const TrainedRun with = train(blurred(none.scene.gaussians), none.images, settings);
    settings.of<DepthSettings>().depth = "off";
    const TrainedRun without = train(blurred(none.scene.gaussians), none.images, settings);
    expectSameBits(with.gaussians, without.gaussians);
    const Supervised all;
    expectSameBits(train(blurred(all.scene.gaussians), all.images, settings).gaussians, without.gaussians);
}

TEST(DepthSupervision, StreamedStoppedAndSmallerRunsHaveTheSameBits) {
    const Supervised s(3);  // one view is not supervised
    TrainSettings settings = s.settings();
    settings.startDownscale = 2;
    settings.fullSizeFrom = 20;
    const TrainedRun wanted = train(blurred(s.scene.gaussians), s.images, settings);
    settings.imageMemory = 0;
    Trainer trainer(testDevice(), testSort(), settings, blurred(s.scene.gaussians), s.images, kExtent);
    for (const uint32_t stop : {7u, 25u, 40u}) trainer.run(stop, [](const StepReport&) { return true; });
    expectSameBits(trainer.model().download(testDevice(), 3), wanted.gaussians);
    settings.of<DepthSettings>().depth = "off";
    EXPECT_NE(train(blurred(s.scene.gaussians), s.images, settings).gaussians.means, wanted.gaussians.means);
}

TEST(DepthSupervision, ARunThatIsResumedIsBitIdentical) {
    const Supervised s(3);
    for (const char* strategy : {"default", "mcmc", "budget", "fixed"}) {
        TrainSettings settings = s.settings(60);
        settings.strategy = strategy;
        settings.densifyFrom = 10;
        settings.densifyInterval = 15;
        settings.densifyUntil = 50;
        settings.maxSplats = 300;
        const Gaussians start = blurred(s.scene.gaussians);
        const TrainedRun wanted = train(start, s.images, settings);
        Trainer first(testDevice(), testSort(), settings, start, s.images, kExtent);
        first.run(33, [](const StepReport&) { return true; });
        Trainer second(testDevice(), testSort(), settings, start, s.images, kExtent);
        second.restore(first.checkpoint());
        second.run(60, [](const StepReport&) { return true; });
        expectSameBits(second.model().download(testDevice(), 3), wanted.gaussians);
    }
}

TEST(DepthSupervision, TargetsKeepThePixelsBesideTheDepths) {
    const Supervised s(2);
    for (const uint64_t memory : {uint64_t{1} << 30u, uint64_t{0}}) {
        auto taken = s.images;
        const Targets targets(testDevice(), taken, memory, 2);
        for (size_t view = 0; view < s.images.size(); ++view) {
            Photograph back = taken[view];
            targets.readback(view, back);
            EXPECT_EQ(back.image.pixels, s.images[view].image.pixels) << view;
            EXPECT_EQ(targets.depth(view).pixels, view < 2 ? 47u * 35u : 0u);
            EXPECT_EQ(targets.depth(targets.image(view, 1)).pixels > 0, view < 2);
            if (!targets.resident()) continue;
            const std::vector<uint16_t>& depths = s.images[view].depth.values.pixels;
            const size_t pixels = s.images[view].image.pixels.size() / 3;
            const auto words = testDevice().download<uint32_t>(targets.of(view), targets.of(view).bytes / sizeof(uint32_t));
            for (size_t i = 0; i < depths.size(); ++i)  // as depth_loss.slang reads them
                ASSERT_EQ(words[pixels + i / 2] >> i % 2 * 16 & 0xffffu, depths[i]) << view << ", pixel " << i;
        }
    }
}

}  // namespace
}  // namespace splat
