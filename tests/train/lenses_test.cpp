// Datasets of other lenses train as those of pinhole cameras.
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/scene/datasets/panorama.h>
#include <splatwright/scene/synth/points.h>
#include <splatwright/scene/synth/synth.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/evaluate/evaluate.h>
#include <splatwright/train/session/training_data.h>
#include <splatwright/train/settings/settings.h>
#include <splatwright/train/step/trainer.h>
#include "scene/scratch.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

constexpr int kWidth = 24, kHeight = 18, kViews = 10;
constexpr size_t kPointsAhead = 600, kPointsAround = 1200;
constexpr double kExtent = 1.1;
constexpr uint64_t kSeed = 5;

TrainSettings settingsOf(uint32_t steps) {
    TrainSettings settings = defaultsOf("fixed");
    settings.steps = steps;
    settings.shDegreeInterval = steps / 4;
    return settings;
}

/// Points in what pinhole cameras see, and in all directions, for what others see beside it. The same for all lenses.
std::vector<Point> withPointsAround(const Dataset& dataset) {
    synth::Scene scene = findSynthScene("garden").build(Rng(kSeed).next());
    scene.pointCount = kPointsAround;
    std::vector<Camera> cameras;
    for (size_t view = 0; view < kViews; ++view) {
        const Camera& posed = dataset.views[view * dataset.views.size() / kViews].camera;
        for (size_t face = 0; face < kCubeFaces.size(); ++face) {
            cameras.push_back(faceCamera(synth::panoramaLens(posed).camera(), static_cast<CubeFace>(face)));
        }
    }
    std::vector<Point> points = synth::surfacePoints(scene, cameras, kSeed);
    points.insert(points.end(), dataset.points.begin(), dataset.points.begin() + kPointsAhead);
    return points;
}

TrainingData dataOf(const test::Scratch& scratch, const char* camera, ImageSize size, const UndistortOptions& undistort = {}) {
    const std::filesystem::path folder = scratch.path() / camera;
    if (!std::filesystem::exists(folder))
        writeSynthDataset(folder, {.camera = camera, .views = kViews, .width = size.width, .height = size.height, .seed = kSeed});
    Dataset dataset = loadDataset(folder, {.undistort = undistort});
    dataset.points = withPointsAround(dataset);
    return loadTrainingData(dataset, settingsOf(1));
}

/// PSNR of the tested photographs after training on the others' data.
double psnrOf(const TrainingData& data, uint32_t steps, const std::vector<Photograph>& tested) {
    const TrainSettings settings = settingsOf(steps);
    Trainer trainer(testDevice(), testSort(), settings, startOf(data, settings), data.train, kExtent);
    trainer.run(settings.steps, [](const StepReport&) { return true; });
    Renderer renderer(testDevice(), testSort());
    return evaluate(renderer, {.gaussians = trainer.model(), .shDegree = 3, .background = settings.background}, tested).psnr;
}

/// The same poses, points and angle per pixel in the middle of the image (of a panorama: on the horizon). All are tested by the pinhole cameras'
/// pictures: a fisheye that is cropped to them, one of all that it sees, most of which is beside them, and panoramas, of which a step sees a
/// sixth; those take more steps to see as much of what is tested. A minute and a half: with fewer steps the fisheyes have not caught up.
TEST(Lenses, TrainAsPinholeCamerasDo) {
    const test::Scratch scratch;
    const TrainingData pinhole = dataOf(scratch, "pinhole", {kWidth, kHeight});
    const double focal = pinhole.train[0].camera.fx;
    const double ratio = focal / synth::fisheyeLens({.width = kWidth, .height = kHeight}).camera().fx;
    const ImageSize wide{static_cast<int>(std::lround(kWidth * ratio)), static_cast<int>(std::lround(kHeight * ratio))};
    const TrainingData fisheye = dataOf(scratch, "fisheye", wide);
    const TrainingData cropped = dataOf(scratch, "fisheye", wide, {.maxScale = static_cast<float>(1.001 * kWidth / wide.width)});
    const int around = static_cast<int>(std::lround(2 * std::numbers::pi * focal));
    const TrainingData panoramas = dataOf(scratch, "equirectangular", {around, around / 2});
    EXPECT_EQ(cropped.train[0].image.width, kWidth);
    EXPECT_NEAR(fisheye.train[0].camera.fx, focal, 0.02 * focal);
    EXPECT_NEAR(panoramas.train[0].camera.fx, focal, 0.02 * focal);
    ASSERT_EQ(panoramas.train.size(), 6 * pinhole.train.size());
    constexpr uint32_t kSteps = 120;
    const double expected = psnrOf(pinhole, kSteps, pinhole.test);
    const auto expectEqual = [&](const char* name, const TrainingData& data, uint32_t steps) {
        const double found = psnrOf(data, steps, pinhole.test);
        RecordProperty(name, fmt::format("{:.2f} dB, with pinhole cameras {:.2f}", found, expected));
        EXPECT_GT(found, expected - 0.5) << name;
    };
    expectEqual("cropped", cropped, kSteps);
    expectEqual("fisheye", fisheye, 270);
    expectEqual("panoramas", panoramas, 360);
}

}  // namespace
}  // namespace splat
