// Bilateral grids per training view: slicing, gradients, Adam's steps, what stays as it is, and exact resumption.
#include <splatwright/train/parts/colour_grids.h>

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/parts/colour_change_settings.h>
#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include "reference/adam.h"
#include "reference/colour_grid.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/acting_changes.h"
#include "train/small_runs.h"
#include "train/step_buffer.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

constexpr size_t kViews = 3;
constexpr uint32_t kView = 1;  // the middle one: its neighbours must stay as they are
constexpr float kLearningRate = 0.01f, kWeight = 3;

struct Size {
    glm::uvec2 image;
    uint32_t cells, levels;
};

void PrintTo(const Size& size, std::ostream* out) {
    *out << size.image.x << "x" << size.image.y << " " << size.cells << " " << size.levels;
}

TrainSettings settingsOf(const Size& size) {
    TrainSettings settings;
    auto& own = settings.of<ColourGridSettings>();
    own.gridSize = size.cells;
    own.gridLevels = size.levels;
    own.gridTv = static_cast<double>(kWeight);
    return settings;
}

/// In single precision, so that reference and GPU start from the same numbers.
reference::ColourGrid randomGrid(const Size& size, uint64_t seed) {
    reference::ColourGrid grid({size.cells, size.cells, size.levels});
    Rng rng(seed);
    for (double& number : grid.numbers) number = static_cast<float>(number + 0.3 * rng.normal());
    return grid;
}

Image<double> randomPicture(const Size& size, const reference::ColourGrid& grid, uint64_t seed) {
    Image<double> picture(static_cast<int>(size.image.x), static_cast<int>(size.image.y), 3);
    Rng rng(seed);
    for (size_t p = 0; p < picture.pixels.size(); p += 3) {
        glm::vec3 colour;
        do {
            colour = {rng.uniform(0, 1.2), rng.uniform(0, 1.2), rng.uniform(0, 1.2)};
        } while (reference::distanceToKink(grid, colour) < 1e-4);
        for (int k = 0; k < 3; ++k) picture.pixels[p + static_cast<size_t>(k)] = static_cast<double>(colour[k]);
    }
    return picture;
}

/// The same bytes as single numbers.
gpu::BufferSlice words(gpu::BufferSlice slice) {
    slice.stride = 0;
    return slice;
}

std::vector<float> floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

/// Grids, a picture, a gradient, and a frame whose state says whether the step counts.
struct Bench {
    explicit Bench(const Size& s)
        : size(s),
          settings(settingsOf(s)),
          grids(testDevice(), settings, kViews, s.image.x * s.image.y, 1),
          model(testDevice(), 1),
          frame(testDevice(), {.gaussians = 1, .instances = 1, .width = 16, .height = 16}),
          parameters(stepBuffer(testDevice(), {.parts = {0, kLearningRate}})),
          changes(actingChanges(testDevice())),
          colours(testDevice().buffer<glm::vec3>("colours", size_t{s.image.x} * s.image.y)),
          gradients(testDevice().buffer<glm::vec3>("gradients", size_t{s.image.x} * s.image.y)) {
        for (uint32_t view = 0; view < kViews; ++view) testDevice().upload(words(grids.grid(view)), floats(randomGrid(s, view).numbers));
    }

    std::vector<float> numbers(uint32_t view) const {
        return testDevice().download<float>(words(grids.grid(view)), randomGrid(size, view).numbers.size());
    }
    std::vector<float> firstMoments() const {
        const uint64_t rows = randomGrid(size, kView).numbers.size() / 4, pitch = (rows + 15) / 16 * 16;
        const auto moments = testDevice().download<shared::Moments4>(*grids.state()[1].second, kViews * pitch);
        std::vector<float> first;
        for (uint64_t row = 0; row < rows; ++row)
            for (int k = 0; k < 4; ++k) first.push_back(moments[kView * pitch + row].m[k]);
        return first;
    }

    std::vector<float> centred(uint32_t view) const {
        testDevice().run("centre", [&](gpu::Commands& c) { grids.recordColours(c, jobOf(view)); });
        return testDevice().download<float>(words(grids.centred()), randomGrid(size, view).numbers.size());
    }

    /// The gradient by the picture; the view's grid makes its step.
    std::vector<float> step(const Image<double>& picture, const Image<double>& gradient, uint32_t index = kView) const {
        testDevice().upload(colours.words(), floats(picture.pixels));
        testDevice().upload(gradients.words(), floats(gradient.pixels));
        testDevice().run("grid", [&](gpu::Commands& c) {
            corrected = grids.recordColours(c, jobOf(index));
            grids.recordAfterLoss(c, jobOf(index));
            grids.recordAfterUpdate(c, jobOf(index));
        });
        return testDevice().download<float>(gradients.words(), picture.pixels.size());
    }

    StepJob jobOf(uint32_t view) const {
        return {.view = {{}, view, size.image.x, size.image.y},
                .model = model,
                .frame = frame,
                .parameters = parameters,
                .render = colours,
                .colourGradients = gradients,
                .colourChanges = changes};
    }

    Size size;
    TrainSettings settings;
    ColourGrids grids;
    GaussianModel model;
    mutable gpu::BufferSlice corrected{};  ///< of the last step
    FrameBuffers frame;
    gpu::Buffer parameters, changes, colours, gradients;
};

std::vector<double> expectedGradient(const reference::ColourGrid& grid, const Image<double>& picture, const Image<double>& gradient) {
    std::vector<double> sum = reference::correctionBackward(grid, picture, gradient).grid;
    const std::vector<double> variation = reference::totalVariationGradient(grid);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(kWeight) * variation[i];
    return sum;
}

class ColourGridSizes : public testing::TestWithParam<Size> {};

TEST_P(ColourGridSizes, PictureAndGradientsAreTheDoubleReferences) {
    const Bench bench(GetParam());
    const reference::ColourGrid grid = randomGrid(GetParam(), kView);
    const auto picture = randomPicture(GetParam(), grid, 11), gradient = randomPicture(GetParam(), grid, 12);
    const auto found = bench.step(picture, gradient);
    const Image<double> expected = reference::corrected(grid, picture);
    const auto corrected = testDevice().download<float>(words(bench.corrected), picture.pixels.size());
    const auto back = reference::correctionBackward(grid, picture, gradient).picture;
    for (size_t i = 0; i < corrected.size(); ++i) {
        ASSERT_NEAR(corrected[i], expected.pixels[i], 5e-6) << i;
        ASSERT_NEAR(found[i], back.pixels[i], 2e-5 * GetParam().levels) << i;
    }
    // After one step from zero the first moment is a tenth of the gradient.
    const auto sums = expectedGradient(grid, picture, gradient);
    const auto moments = bench.firstMoments();
    const double pixels = static_cast<double>(picture.pixels.size()) / 3;
    for (size_t i = 0; i < sums.size(); ++i) ASSERT_NEAR(moments[i], 0.1 * sums[i], 1e-6 + 2e-7 * pixels) << i;
    for (const uint32_t other : {kView - 1, kView + 1}) EXPECT_EQ(bench.numbers(other), floats(randomGrid(GetParam(), other).numbers));
}

// Images within a group, at its border and over several; the fewest cells, and more than the image has pixels.
INSTANTIATE_TEST_SUITE_P(Sizes, ColourGridSizes,
                         testing::Values(Size{{1, 1}, 2, 2}, Size{{255, 1}, 5, 3}, Size{{16, 16}, 16, 8}, Size{{257, 3}, 3, 8},
                                         Size{{5, 4}, 16, 8}, Size{{123, 97}, 16, 8}));

TEST(ColourGrids, StepsAreAdamsByTheViewsOwnCount) {
    const Size size{{40, 30}, 4, 3};
    const Bench bench(size);
    reference::UsedGrid own{randomGrid(size, kView), std::vector<double>(4 * 4 * 3)};
    reference::AdamMoments moments(own.grid.numbers.size());
    for (int64_t step = 1; step <= 5; ++step) {
        const auto seed = static_cast<uint64_t>(step);
        const reference::ColourGrid grid = reference::centred(own.grid, {own});
        const auto picture = randomPicture(size, grid, seed), gradient = randomPicture(size, grid, 50 + seed);
        bench.step(picture, gradient);
        reference::adamStep(own.grid.numbers, expectedGradient(grid, picture, gradient), moments, step,
                            {.learningRate = static_cast<double>(kLearningRate)});
        own.uses = reference::cellUses(grid, picture);
    }
    const auto numbers = bench.numbers(kView);
    for (size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(numbers[i], own.grid.numbers[i], 2e-5) << i;
}

TEST(ColourGrids, AHaltedStepChangesNothing) {
    const Size size{{40, 30}, 4, 3};
    const Bench bench(size);
    testDevice().upload(bench.frame.state, std::vector{shared::FrameState{.halted = 1}});
    const reference::ColourGrid grid = randomGrid(size, kView);
    bench.step(randomPicture(size, grid, 1), randomPicture(size, grid, 2));
    EXPECT_EQ(bench.numbers(kView), floats(grid.numbers));
    for (const float c : testDevice().download<float>(bench.grids.state()[2].second->words(), 2 * kViews)) EXPECT_EQ(c, 0);
    for (const float m : bench.firstMoments()) EXPECT_EQ(m, 0);
}

/// Means over the views' matrices, weighted by the pixels that used them.
std::vector<double> meanAdded(const Bench& bench, const std::vector<std::vector<double>>& uses) {
    const std::vector<double> identity = reference::ColourGrid(randomGrid(bench.size, 0).cells).numbers;
    std::vector<double> sums(identity.size()), totals(identity.size());
    for (uint32_t view = 0; view < kViews; ++view) {
        const auto numbers = bench.numbers(view);
        for (size_t i = 0; i < sums.size(); ++i) {
            sums[i] += uses[view][i / 12] * (numbers[i] - identity[i]);
            totals[i] += uses[view][i / 12];
        }
    }
    for (size_t i = 0; i < sums.size(); ++i) sums[i] /= std::max(totals[i], 1e-6);
    return sums;
}

// Cells that few pixels of few views use are held as others are.
TEST(ColourGrids, WhatAllViewsHaveInCommonIsLeftToTheModel) {
    const Size size{{40, 30}, 4, 3};
    const Bench bench(size);
    for (uint32_t view = 0; view < kViews; ++view)
        testDevice().upload(words(bench.grids.grid(view)), floats(reference::ColourGrid({4, 4, 3}).numbers));
    std::vector<std::vector<double>> uses(kViews, std::vector<double>(4 * 4 * 3));
    for (uint32_t step = 0; step < 7; ++step) {
        const uint32_t view = step * step % kViews;
        const auto picture = randomPicture(size, randomGrid(size, 0), step), gradient = randomPicture(size, randomGrid(size, 0), 50 + step);
        bench.step(picture, gradient, view);
        uses[view] = reference::cellUses(randomGrid(size, 0), picture);
    }
    const std::vector<double> mean = meanAdded(bench, uses);
    EXPECT_LT(*std::ranges::min_element(mean), -0.01) << "all pictures pull to the same side";
    for (uint32_t view = 0; view < kViews; ++view) {
        const auto centred = bench.centred(view), numbers = bench.numbers(view);
        for (size_t i = 0; i < mean.size(); ++i) ASSERT_NEAR(centred[i], numbers[i] - mean[i], 1e-5) << view << ", " << i;
    }
}

TEST(ColourGrids, RerunsAreBitIdentical) {
    const Size size{{200, 150}, 16, 8};
    const reference::ColourGrid grid = randomGrid(size, kView);
    const auto picture = randomPicture(size, grid, 1), gradient = randomPicture(size, grid, 2);
    const Bench first(size), second(size);
    EXPECT_EQ(first.step(picture, gradient), second.step(picture, gradient));
    EXPECT_EQ(first.numbers(kView), second.numbers(kView));
}

TEST(ColourGrids, StartAsTheIdentity) {
    const TrainSettings settings;
    const ColourGrids grids(testDevice(), settings, 2, 16, 0);
    for (const uint32_t view : {0u, 1u})
        EXPECT_EQ(testDevice().download<float>(words(grids.grid(view)), 12 * 16 * 16 * 8),
                  floats(reference::ColourGrid({16, 16, 8}).numbers));
}

/// Every photograph but the first is darker by a factor and redder on one side.
std::vector<Photograph> tinted(std::vector<Photograph> photographs) {
    for (size_t i = 1; i < photographs.size(); ++i) {
        Image8& image = photographs[i].image;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                for (size_t k = 0; k < 3; ++k) {
                    const double side = static_cast<double>(x) / image.width;
                    const double factor = 1 - 0.15 * static_cast<double>(i) + (k == 0 ? 0.2 * side : 0.0);
                    auto& value = image.at(x, y)[k];
                    value = static_cast<uint8_t>(std::min(255.0, value * factor));
                }
    }
    return photographs;
}

TrainSettings gridRun(uint32_t steps) {
    TrainSettings settings = shortRun(steps);
    settings.of<ColourGridSettings>().colourGrid = true;
    settings.of<ColourChangeSettings>().least = 0;
    settings.accumulate = "fixed-point";
    settings.of<ColourGridSettings>().lrGrid = 0.01;
    settings.of<ColourGridSettings>().gridSize = 6;
    settings.of<ColourGridSettings>().gridLevels = 4;
    return settings;
}

TEST(ColourGrids, TrainingReportsTheirVariationAndLosesLess) {
    const reference::Scene scene = reference::makeMixedScene(30, 32, 32, 6);
    const auto photographs = tinted(photographsOf(scene, 4));
    TrainSettings plain = gridRun(150);
    plain.of<ColourGridSettings>().colourGrid = false;
    const double without = train(blurred(scene.gaussians), photographs, plain).losses.back();
    Trainer trainer(testDevice(), testSort(), gridRun(150), blurred(scene.gaussians), photographs, 1.1);
    std::vector<LossShare> last;
    trainer.run(150, [&](const StepReport& report) {
        last = report.losses;
        return true;
    });
    const auto variation = std::ranges::find(last, "grid_variation", &LossShare::name);
    ASSERT_NE(variation, last.end());
    EXPECT_EQ(variation->weight, 10);
    EXPECT_GT(variation->value, 0);
    EXPECT_LT(totalLoss(last), 0.7 * without);
}

std::vector<float> floatsIn(const Checkpoint& checkpoint, const char* section) {
    const auto& bytes = std::ranges::find(checkpoint.sections, section, &CheckpointSection::name)->bytes;
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// Grids of 7 x 7 x 5 cells.
std::vector<reference::UsedGrid> gridsIn(const Checkpoint& checkpoint, size_t views) {
    constexpr size_t kCells = 7 * 7 * 5, kPitch = (3 * kCells + 15) / 16 * 16;
    const auto numbers = floatsIn(checkpoint, "colour_grids"), uses = floatsIn(checkpoint, "colour_grid_uses");
    std::vector<reference::UsedGrid> grids(views, {reference::ColourGrid({7, 7, 5}), std::vector<double>(kCells)});
    for (size_t view = 0; view < views; ++view) {
        for (size_t i = 0; i < 12 * kCells; ++i) grids[view].grid.numbers[i] = numbers[4 * kPitch * view + i];
        for (size_t i = 0; i < kCells; ++i) grids[view].uses[i] = uses[kCells * view + i];
    }
    return grids;
}

TEST(ColourGrids, TheReportedVariationIsTheDoubleReferences) {
    const reference::Scene scene = reference::makeMixedScene(30, 40, 32, 6);
    TrainSettings settings = gridRun(60);
    settings.of<ColourGridSettings>().gridSize = 7;
    settings.of<ColourGridSettings>().gridLevels = 5;
    Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), tinted(photographsOf(scene, 3)), 1.1);
    trainer.run(40, [](const StepReport&) { return true; });
    const std::vector<reference::UsedGrid> grids = gridsIn(trainer.checkpoint(), 3);
    trainer.run(41, [&](const StepReport& report) {
        const auto variation = std::ranges::find(report.losses, "grid_variation", &LossShare::name);
        const double expected = reference::totalVariation(reference::centred(grids[report.view].grid, grids));
        EXPECT_GT(expected, 1e-6);
        EXPECT_NEAR(variation->value, expected, 1e-3 * expected);  // of differences of numbers near 1
        return true;
    });
}

TEST(ColourGrids, ARunThatIsResumedIsBitIdentical) {
    const reference::Scene scene = reference::makeMixedScene(40, 48, 40, 6);
    const auto photographs = tinted(photographsOf(scene, 4));
    const auto all = [](const StepReport&) { return true; };
    Trainer whole(testDevice(), testSort(), gridRun(60), blurred(scene.gaussians), photographs, 1.1);
    whole.run(33, all);
    const Checkpoint middle = whole.checkpoint();
    whole.run(60, all);
    Trainer again(testDevice(), testSort(), gridRun(60), blurred(scene.gaussians), photographs, 1.1);
    again.restore(middle);
    again.run(60, all);
    const Checkpoint found = again.checkpoint(), expected = whole.checkpoint();
    expectSameBytes(found.sections, expected.sections);
    EXPECT_EQ(whole.costs().waitsInSteps, 0u);
}

TEST(ColourGrids, MayBeSwitchedOffAndNotBeBesideExposures) {
    const reference::Scene scene = reference::makeMixedScene(20, 32, 32, 6);
    TrainSettings settings = gridRun(20);
    Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), photographsOf(scene, 2), 1.1);
    trainer.run(5, [](const StepReport&) { return true; });
    settings.of<ExposureSettings>().exposure = true;
    EXPECT_THROW(trainer.change(settings), InputError);
    settings.of<ColourGridSettings>().colourGrid = false;
    trainer.change(settings);
    trainer.run(20, [](const StepReport& report) {
        EXPECT_FALSE(std::ranges::count(report.losses, "grid_variation", &LossShare::name));
        return true;
    });
}

TEST(ColourGrids, ValidationIsSilent) {
    const reference::Scene scene = reference::makeMixedScene(20, 32, 32, 6);
    train(blurred(scene.gaussians), photographsOf(scene, 2), gridRun(20));
    EXPECT_EQ(testDevice().validationMessages(), 0u);
}

}  // namespace
}  // namespace splat
