// The 3D smoothing filter in training: how it is measured, that pictures of a filtered model are those of the baked one, and exact resumption.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/render/renderer.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/refinement.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/parts/sampling_filter.h>
#include <splatwright/train/parts/sampling_filter_settings.h>
#include <splatwright/train/session/results.h>
#include "../scene/scratch.h"
#include "reference/filter.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

/// Cameras around the origin, of several focal lengths and sizes.
std::vector<Camera> someCameras() {
    std::vector<Camera> cameras;
    for (int i = 0; i < 5; ++i) {
        const double angle = 1.1 * i, f = 40 + 25 * i;
        const double c = std::cos(angle), s = std::sin(angle);
        Camera camera{.width = 64 + 8 * i, .height = 48, .fx = f, .fy = 0.9 * f, .cx = 30, .cy = 26};
        camera.rotation = glm::dmat3(c, 0, s, 0, 1, 0, -s, 0, c);
        camera.translation = {0.1 * i, -0.1, 2};
        cameras.push_back(camera);
    }
    return cameras;
}

/// Whether single precision may decide otherwise about whether the camera samples the point.
bool nearABorder(const glm::dvec3& point, const Camera& camera) {
    const auto widened = [&](double factor) {
        Camera other = camera;
        other.fx *= factor;
        other.fy *= factor;
        return reference::samplingRate(point, other) > 0;
    };
    const double depth = (camera.rotation * point + camera.translation).z;
    return widened(1 + 1e-4) != widened(1 - 1e-4) || std::abs(depth - 0.01) < 1e-4;
}

/// Positions in and around the cameras' frusta, none near a border of one.
Gaussians spread(size_t count, double extent) {
    const std::vector<Camera> cameras = someCameras();
    Rng rng(count);
    Gaussians gaussians;
    gaussians.resize(count, 0);
    for (glm::vec3& mean : gaussians.means) {
        do {
            mean = {rng.uniform(-extent, extent), rng.uniform(-extent, extent), rng.uniform(-extent, extent)};
        } while (std::ranges::any_of(cameras, [&](const Camera& camera) { return nearABorder(mean, camera); }));
    }
    for (glm::vec4& q : gaussians.rotations) q = {1, 0, 0, 0};
    return gaussians;
}

/// What a measurement of the model's filters needs.
struct Bench {
    explicit Bench(const Gaussians& gaussians)
        : cameras(someCameras()),
          store(testDevice(), GaussianStore::roundedCapacity(gaussians.count()), false),
          frame(testDevice(), {.gaussians = store.model.capacity, .instances = 64, .width = 16, .height = 16}),
          training(testDevice().buffer<shared::TrainingState>("training", 1)),
          refinement(testDevice().buffer<shared::Refinement>("refinement", 1)),
          views(testDevice().buffer<shared::ViewParameters>("views", cameras.size())),
          tools(testDevice(), testSort(), settings),
          filter(testDevice(), cameras.size()) {
        store.filter3d(true);
        store.model.upload(testDevice(), gaussians);
        std::vector<shared::ViewParameters> parameters;
        for (const Camera& camera : cameras) parameters.push_back(viewParameters(camera));
        testDevice().upload(views, parameters);
    }

    std::vector<float> measured(size_t count) {
        const RefineJob job{.store = store, .frame = frame, .training = training, .refinement = refinement, .tools = tools, .limit = 0};
        testDevice().run("measure", [&](gpu::Commands& c) {
            tools.recordBegin(c, job);
            filter.record(c, job, views);
        });
        return testDevice().download<float>(store.model.filterVariances, count);
    }

    std::vector<Camera> cameras;
    TrainSettings settings;
    GaussianStore store;
    FrameBuffers frame;
    gpu::Buffer training, refinement, views;
    RefinementTools tools;
    SamplingFilter filter;
};

class FilterSizes : public testing::TestWithParam<size_t> {};

TEST_P(FilterSizes, AreThoseOfTheDoubleReference) {
    const Gaussians gaussians = spread(GetParam(), 3);
    Bench bench(gaussians);
    const auto expected = reference::filterVariances(reference::fromGaussians(gaussians), bench.cameras);
    const auto found = bench.measured(gaussians.count());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5 * expected[i]) << i;
}
INSTANTIATE_TEST_SUITE_P(Sizes, FilterSizes, testing::Values(1, 255, 256, 257, 3000), testing::PrintToStringParamName());

TEST(Filter3d, NotFiniteOrUnseenGaussiansTakeTheWidestOfTheOthers) {
    Gaussians gaussians = spread(300, 1);
    gaussians.means[7] = glm::vec3(0, 900, 0);
    gaussians.means[8].x = std::numeric_limits<float>::quiet_NaN();
    gaussians.means[9].z = std::numeric_limits<float>::infinity();
    const auto found = Bench(gaussians).measured(300);
    const float widest = *std::ranges::max_element(found);
    EXPECT_TRUE(std::isfinite(widest));
    for (const size_t i : {7u, 8u, 9u}) EXPECT_EQ(found[i], widest);
    Gaussians unseen = spread(3, 1);
    for (glm::vec3& mean : unseen.means) mean.y = 900;
    EXPECT_EQ(Bench(unseen).measured(3), std::vector<float>(3, 0));
}

TEST(Filter3d, AHaltedMeasurementChangesNothing) {
    const Gaussians gaussians = spread(100, 1);
    Bench bench(gaussians);
    testDevice().upload(bench.store.model.filterVariances, std::vector<float>(100, 0.5f));
    testDevice().upload(bench.frame.state, std::vector{shared::FrameState{.halted = 1}});
    EXPECT_EQ(bench.measured(100), std::vector<float>(100, 0.5f));
}

TEST(Filter3d, IsMeasuredAfterGrowthEvery100StepsAndRarelyLater) {
    TrainSettings settings;
    settings.densifyInterval = 30;
    settings.densifyFrom = 200;
    settings.densifyUntil = 1000;
    std::vector<uint32_t> due;
    for (uint32_t step = 1; step <= 3500; ++step)
        if (SamplingFilter::dueAfter(settings, step)) due.push_back(step);
    EXPECT_EQ(std::vector<uint32_t>(due.begin(), due.begin() + 5), (std::vector<uint32_t>{100, 200, 210, 240, 270}));
    EXPECT_EQ(std::vector<uint32_t>(due.end() - 3, due.end()), (std::vector<uint32_t>{1000, 2000, 3000}));
}

ImageF render(const GaussianModel& model, const Camera& camera) {
    Renderer renderer(testDevice(), testSort());
    return renderer.render(model, camera, glm::vec3(0.2f), 3);
}

/// Largest difference of a channel.
float difference(const ImageF& a, const ImageF& b) {
    float largest = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i) largest = std::max(largest, std::abs(a.pixels[i] - b.pixels[i]));
    return largest;
}

TEST(Filter3d, TheSavedSplatsLookAsTheModelInTraining) {
    const reference::Scene scene = reference::makeMixedScene(150, 64, 48, 4);
    TrainSettings settings = shortRun(120);
    settings.of<SamplingFilterSettings>().filter3d = true;
    Gaussians start = blurred(scene.gaussians);
    for (glm::vec3& scale : start.logScales) scale -= 2;  // so that the filter matters
    Trainer trainer(testDevice(), testSort(), settings, start, photographsOf(scene, 3), 1.1);
    trainer.run(120, [](const StepReport&) { return true; });
    const test::Scratch scratch;
    writePly(scratch.path() / "splats.ply", trainedSplats(testDevice(), trainer, {}));
    const Gaussians saved = readPly(scratch.path() / "splats.ply");
    GaussianModel plain(testDevice(), static_cast<uint32_t>(saved.count()));
    plain.upload(testDevice(), saved);
    for (const double size : {0.25, 1.0, 2.0}) {
        const Camera camera =
            resized(scene.camera, static_cast<int>(scene.camera.width * size), static_cast<int>(scene.camera.height * size));
        const ImageF expected = render(trainer.model(), camera);
        EXPECT_LT(difference(render(plain, camera), expected), 5e-3f) << size;  // a splat at the cut may come or go
        EXPECT_GT(psnr(quantised(render(plain, camera)), quantised(expected)), 70) << size;
    }
    Gaussians raw = saved;
    raw.logScales = start.logScales;
    plain.upload(testDevice(), raw);
    EXPECT_GT(difference(render(plain, scene.camera), render(trainer.model(), scene.camera)), 0.05f);
}

/// A run that refines, sorts and resets within a few hundred steps.
TrainSettings growing(uint32_t steps) {
    TrainSettings settings = defaultsOf("default");
    settings.steps = steps;
    settings.of<SamplingFilterSettings>().filter3d = true;
    settings.accumulate = "fixed-point";
    settings.densifyFrom = 50;
    settings.densifyUntil = 260;
    settings.densifyInterval = 60;
    settings.maxSplats = 200;
    return settings;
}

TEST(Filter3d, ARunThatIsResumedIsBitIdentical) {
    const reference::Scene scene = reference::makeMixedScene(80, 32, 24, 6);
    const auto photographs = photographsOf(scene, 4);
    const TrainSettings settings = growing(300);
    const auto all = [](const StepReport&) { return true; };
    Trainer whole(testDevice(), testSort(), settings, blurred(scene.gaussians), photographs, 1.1);
    whole.run(170, all);
    const Checkpoint middle = whole.checkpoint();
    whole.run(300, all);
    Trainer again(testDevice(), testSort(), settings, blurred(scene.gaussians), photographs, 1.1);
    again.restore(middle);
    again.run(300, all);
    const Checkpoint found = again.checkpoint(), expected = whole.checkpoint();
    EXPECT_NE(expected.header["gaussians"], 80u);
    ASSERT_TRUE(std::ranges::count(expected.sections, "filter_variances", &CheckpointSection::name));
    expectSameBytes(found.sections, expected.sections);
    EXPECT_EQ(whole.costs().waitsInSteps, 0u);
}

TEST(Filter3d, MayBeSwitchedOnAndOffBetweenSteps) {
    const reference::Scene scene = reference::makeMixedScene(60, 48, 40, 6);
    TrainSettings settings = shortRun(200);
    Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), photographsOf(scene, 3), 1.1);
    trainer.run(50, [](const StepReport&) { return true; });
    settings.of<SamplingFilterSettings>().filter3d = true;
    const uint64_t before = trainer.modelGeneration();
    trainer.change(settings);
    EXPECT_NE(trainer.modelGeneration(), before);
    const auto variances = testDevice().download<float>(trainer.model().filterVariances, 60);
    EXPECT_TRUE(std::ranges::all_of(variances, [](float v) { return v > 0; }));
    trainer.run(100, [](const StepReport&) { return true; });
    settings.of<SamplingFilterSettings>().filter3d = false;
    trainer.change(settings);
    trainer.run(200, [](const StepReport&) { return true; });
    EXPECT_FALSE(trainer.model().filtered);
}

TEST(Filter3d, ACheckpointWithoutFiltersIsRefused) {
    const reference::Scene scene = reference::makeMixedScene(20, 32, 32, 6);
    const auto photographs = photographsOf(scene, 2);
    TrainSettings settings = shortRun(10);
    Checkpoint plain = Trainer(testDevice(), testSort(), settings, scene.gaussians, photographs, 1.1).checkpoint();
    settings.of<SamplingFilterSettings>().filter3d = true;
    Trainer trainer(testDevice(), testSort(), settings, scene.gaussians, photographs, 1.1);
    EXPECT_THROW(trainer.restore(plain), InputError);
}

TEST(Filter3d, ValidationIsSilent) {
    const reference::Scene scene = reference::makeMixedScene(40, 48, 40, 6);
    train(blurred(scene.gaussians), photographsOf(scene, 2), growing(130));
    EXPECT_EQ(testDevice().validationMessages(), 0u);
}

}  // namespace
}  // namespace splat
