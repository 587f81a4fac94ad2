// From a dataset to supervised training images.
#include <splatwright/train/session/depth_supervision.h>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/synth/picture.h>
#include <splatwright/scene/synth/synth.h>
#include <splatwright/train/parts/depth_settings.h>
#include <splatwright/train/session/training_data.h>
#include "scene/scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// A small synthetic dataset with depth maps and tracks.
struct Depths {
    Scratch scratch;
    fs::path folder = scratch.path() / "scene";

    Depths() { writeSynthDataset(folder, {.views = 6, .width = 64, .height = 48, .seed = 3, .depths = true}); }
    TrainingData load(const char* depth, uint32_t testEvery = 0) const {
        TrainSettings settings;
        settings.of<DepthSettings>().depth = depth;
        settings.testEvery = testEvery;
        return loadTrainingData(loadDataset(folder), settings);
    }
    fs::path map(int view) const { return folder / "depths" / fmt::format("{:04}.png", view); }
};

/// Largest and mean error of the known pixels, relative to the scene's mean inverse depth.
struct Errors {
    double largest = 0, mean = 0;
    size_t known = 0;
};

Errors errorsOf(const TrainingData& data, size_t view) {
    const synth::Scene scene = findSynthScene("garden").build(Rng(3).next());
    const Photograph& p = data.train[view];
    const ImageF truth = synth::renderInverseDepths(scene, fromFrame(data.frame, p.camera));
    Errors errors;
    double sum = 0, level = 0;
    for (size_t i = 0; i < truth.pixels.size(); ++i) {
        const double expected = static_cast<double>(truth.pixels[i]) / data.frame.scale;  // to training units
        level += expected / static_cast<double>(truth.pixels.size());
        if (p.depth.values.pixels[i] == 0) continue;
        const double error = std::abs(p.depth.values.pixels[i] * p.depth.scale + p.depth.shift - expected);
        errors.largest = std::max(errors.largest, error);
        sum += error;
        ++errors.known;
    }
    errors.largest /= level;
    errors.mean = sum / static_cast<double>(errors.known) / level;
    return errors;
}

TEST(SuperviseDepths, MapsOfUnknownScaleAgreeWithTheScene) {
    const Depths dataset;
    const TrainingData data = dataset.load("maps");
    for (size_t view = 0; view < data.train.size(); ++view) {
        const Errors errors = errorsOf(data, view);
        EXPECT_EQ(errors.known, 64u * 48) << view;
        EXPECT_LT(errors.mean, 0.02) << view;
    }
}

TEST(SuperviseDepths, PointsAgreeWithTheScene) {
    const Depths dataset;
    const TrainingData data = dataset.load("points");
    for (size_t view = 0; view < data.train.size(); ++view) {
        const Errors errors = errorsOf(data, view);
        EXPECT_GT(errors.known, 100u) << view;
        EXPECT_LT(errors.known, 64u * 48) << view;
        EXPECT_LT(errors.mean, 0.05) << view;
    }
}

TEST(SuperviseDepths, TestViewsAndRunsWithoutItHaveNoDepths) {
    const Depths dataset;
    for (const Photograph& p : dataset.load("off").train) EXPECT_TRUE(p.depth.values.pixels.empty());
    const TrainingData data = dataset.load("maps", 2);
    ASSERT_EQ(data.train.size(), 3u);
    for (const Photograph& p : data.train) EXPECT_FALSE(p.depth.values.pixels.empty());
    for (const Photograph& p : data.test) EXPECT_TRUE(p.depth.values.pixels.empty());
}

TEST(SuperviseDepths, ViewsThatCannotBeFittedAreLeftOut) {
    const Depths dataset;
    fs::remove(dataset.map(1));
    writeGrey16(dataset.map(2), Image16(64, 48, 1));
    Image16 depth = readGrey16(dataset.map(3), readImageHeader(dataset.map(3)));
    for (uint16_t& value : depth.pixels) value = static_cast<uint16_t>(65535 - value);
    writeGrey16(dataset.map(3), depth);
    const TrainingData data = dataset.load("maps");
    for (size_t view = 0; view < data.train.size(); ++view)
        EXPECT_EQ(data.train[view].depth.values.pixels.empty(), view >= 1 && view <= 3) << view;
}

TEST(SuperviseDepths, AScaleFarFromTheOthersIsLeftOut) {
    const Depths dataset;
    Image16 faint = readGrey16(dataset.map(4), readImageHeader(dataset.map(4)));
    for (uint16_t& value : faint.pixels) value = static_cast<uint16_t>(value / 20);
    writeGrey16(dataset.map(4), faint);
    const TrainingData data = dataset.load("maps");
    for (size_t view = 0; view < data.train.size(); ++view) EXPECT_EQ(data.train[view].depth.values.pixels.empty(), view == 4) << view;
}

TEST(SuperviseDepths, MaskedPixelsAreUnknown) {
    const Depths dataset;
    Image8 mask(64, 48, 3);
    for (size_t i = 0; i < mask.pixels.size() / 2; ++i) mask.pixels[i] = 255;
    fs::create_directories(dataset.folder / "masks");
    writePng(dataset.folder / "masks/0000.png", mask);
    const TrainingData data = dataset.load("maps");
    const auto& values = data.train[0].depth.values.pixels;
    for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i] > 0, i < values.size() / 2) << i;
}

TEST(SuperviseDepths, NothingToLearnFromIsAnError) {
    const Depths dataset;
    fs::remove_all(dataset.folder / "depths");
    expectInputError([&] { dataset.load("maps"); }, {"scene", "depth is 'maps'", "expected depths/NAME.png"});
    fs::remove(dataset.folder / "sparse/0/points3D.bin");
    expectInputError([&] { dataset.load("points"); }, {"scene", "depth is 'points'", "expected points"});
}

}  // namespace
}  // namespace splat
