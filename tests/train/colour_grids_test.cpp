// Bilateral grids per training view: slicing, gradients, Adam's steps, what stays as it is, and exact resumption.
#include <splatwright/train/views/colour_grids.h>

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/session/checkpoint.h>
#include "reference/adam.h"
#include "reference/colour_grid.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
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

ColourGridSettings settingsOf(const Size& size) {
    ColourGridSettings settings;
    settings.gridSize = size.cells;
    settings.gridLevels = size.levels;
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
          grids(testDevice(), settingsOf(s), kViews, s.image.x * s.image.y),
          frame(testDevice(), {.gaussians = 1, .instances = 1, .width = 16, .height = 16}),
          parameters(stepBuffer(testDevice(), {.lrGrid = kLearningRate})),
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

    /// The gradient by the picture; the view's grid makes its step.
    std::vector<float> step(const Image<double>& picture, const Image<double>& gradient) const {
        testDevice().upload(colours.words(), floats(picture.pixels));
        testDevice().upload(gradients.words(), floats(gradient.pixels));
        const ViewSelection view{{}, kView, size.image.x, size.image.y};
        testDevice().run("grid", [&](gpu::Commands& c) {
            grids.recordApply(c, view, colours);
            grids.recordGradient(c, view, colours, gradients, kWeight);
            grids.recordStep(c, view, frame, parameters);
        });
        return testDevice().download<float>(gradients.words(), picture.pixels.size());
    }

    Size size;
    ColourGrids grids;
    FrameBuffers frame;
    gpu::Buffer parameters, colours, gradients;
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
    const auto corrected = testDevice().download<float>(words(bench.grids.corrected()), picture.pixels.size());
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
    reference::ColourGrid grid = randomGrid(size, kView);
    reference::AdamMoments moments(grid.numbers.size());
    for (int64_t step = 1; step <= 5; ++step) {
        const auto seed = static_cast<uint64_t>(step);
        const auto picture = randomPicture(size, grid, seed), gradient = randomPicture(size, grid, 50 + seed);
        bench.step(picture, gradient);
        reference::adamStep(grid.numbers, expectedGradient(grid, picture, gradient), moments, step,
                            {.learningRate = static_cast<double>(kLearningRate)});
    }
    const auto numbers = bench.numbers(kView);
    for (size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(numbers[i], grid.numbers[i], 2e-5) << i;
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

TEST(ColourGrids, RerunsAreBitIdentical) {
    const Size size{{200, 150}, 16, 8};
    const reference::ColourGrid grid = randomGrid(size, kView);
    const auto picture = randomPicture(size, grid, 1), gradient = randomPicture(size, grid, 2);
    const Bench first(size), second(size);
    EXPECT_EQ(first.step(picture, gradient), second.step(picture, gradient));
    EXPECT_EQ(first.numbers(kView), second.numbers(kView));
}

TEST(ColourGrids, StartAsTheIdentity) {
    const ColourGrids grids(testDevice(), {}, 2, 16);
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
    settings.colourGrid = true;
    settings.accumulate = "fixed-point";
    settings.lrGrid = 0.01;
    settings.gridSize = 6;
    settings.gridLevels = 4;
    return settings;
}

TEST(ColourGrids, TrainingReportsTheirVariationAndLosesLess) {
    const reference::Scene scene = reference::makeMixedScene(30, 32, 32, 6);
    const auto photographs = tinted(photographsOf(scene, 4));
    TrainSettings plain = gridRun(150);
    plain.colourGrid = false;
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

TEST(ColourGrids, TheReportedVariationIsTheDoubleReferences) {
    const reference::Scene scene = reference::makeMixedScene(30, 40, 32, 6);
    TrainSettings settings = gridRun(60);
    settings.gridSize = 7;
    settings.gridLevels = 5;
    Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), tinted(photographsOf(scene, 1)), 1.1);
    trainer.run(40, [](const StepReport&) { return true; });
    reference::ColourGrid grid({7, 7, 5});
    const Checkpoint checkpoint = trainer.checkpoint();
    const auto& section = *std::ranges::find(checkpoint.sections, "colour_grids", &CheckpointSection::name);
    std::vector<float> numbers(grid.numbers.size());
    std::memcpy(numbers.data(), section.bytes.data(), numbers.size() * sizeof(float));
    grid.numbers.assign(numbers.begin(), numbers.end());
    trainer.run(41, [&](const StepReport& report) {
        const auto variation = std::ranges::find(report.losses, "grid_variation", &LossShare::name);
        EXPECT_NEAR(variation->value, reference::totalVariation(grid), 1e-5 * reference::totalVariation(grid));
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
    settings.exposure = true;
    EXPECT_THROW(trainer.change(settings), InputError);
    settings.colourGrid = false;
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
