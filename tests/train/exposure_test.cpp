#include <splatwright/train/parts/exposure.h>

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/adam.h"
#include "support/test_device.h"
#include "train/acting_changes.h"
#include "train/step_buffer.h"

namespace splat {
namespace {

constexpr size_t kViews = 3;
constexpr uint32_t kView = 1;  // the middle one
constexpr float kLearningRate = 0.01f;

std::vector<glm::vec3> randomColours(size_t count, uint64_t seed) {
    Rng rng(seed);
    std::vector<glm::vec3> colours(count);
    for (glm::vec3& c : colours) c = glm::vec3(rng.uniform(-1, 2), rng.uniform(-1, 2), rng.uniform(-1, 2));
    return colours;
}

/// Rows of E of a view; element [3 * view + row].
std::vector<glm::vec4> randomExposures() {
    Rng rng(3);
    std::vector<glm::vec4> rows(3 * kViews);
    for (glm::vec4& row : rows) row = glm::vec4(rng.normal(), rng.normal(), rng.normal(), rng.normal());
    return rows;
}

/// An exposure, a picture, a gradient, and a frame whose state says whether the step counts.
struct Bench {
    Bench(uint32_t width, uint32_t height)
        : size{width, height},
          exposure(testDevice(), kViews, width * height, 2),
          model(testDevice(), 1),
          frame(testDevice(), {.gaussians = 1, .instances = 1, .width = 16, .height = 16}),
          parameters(stepBuffer(testDevice(), {.parts = {0, 0, kLearningRate}})),
          changes(actingChanges(testDevice())),
          colours(testDevice().buffer<glm::vec3>("colours", size_t{width} * height)),
          gradients(testDevice().buffer<glm::vec3>("gradients", size_t{width} * height)) {
        testDevice().upload(buffer("exposures"), randomExposures());
    }

    const gpu::Buffer& buffer(const std::string& name) const {
        for (const auto& [key, buffer] : exposure.state())
            if (key == name) return *buffer;
        throw std::out_of_range(name);
    }
    std::vector<glm::vec4> rows() const { return testDevice().download<glm::vec4>(buffer("exposures"), 3 * kViews); }

    /// The gradient by the picture; the view's exposure makes its step.
    std::vector<glm::vec3> step(const std::vector<glm::vec3>& picture, const std::vector<glm::vec3>& gradient) const {
        testDevice().upload(colours, picture);
        testDevice().upload(gradients, gradient);
        const StepJob job{.view = {{}, kView, size.x, size.y},
                          .model = model,
                          .frame = frame,
                          .parameters = parameters,
                          .render = colours,
                          .colourGradients = gradients,
                          .colourChanges = changes};
        testDevice().run("exposure", [&](gpu::Commands& c) {
            exposed = exposure.recordColours(c, job);
            exposure.recordAfterLoss(c, job);
            exposure.recordAfterUpdate(c, job);
        });
        return testDevice().download<glm::vec3>(gradients, picture.size());
    }

    glm::uvec2 size;
    Exposure exposure;
    GaussianModel model;
    mutable gpu::BufferSlice exposed{};  ///< of the last step
    FrameBuffers frame;
    gpu::Buffer parameters, changes, colours, gradients;
};

/// dL/dE of a view as 12 numbers, row by row.
std::vector<double> expectedGradient(const std::vector<glm::vec3>& picture, const std::vector<glm::vec3>& gradient) {
    std::vector<double> sums(12);
    for (size_t p = 0; p < picture.size(); ++p)
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 4; ++column) {
                const double value = column < 3 ? static_cast<double>(picture[p][column]) : 1.0;
                sums[static_cast<size_t>(4 * row + column)] += static_cast<double>(gradient[p][row]) * value;
            }
    return sums;
}

class ExposureSizes : public testing::TestWithParam<glm::uvec2> {};

TEST_P(ExposureSizes, PictureAndGradientsAreThoseOfTheMatrix) {
    const Bench bench(GetParam().x, GetParam().y);
    const size_t pixels = size_t{GetParam().x} * GetParam().y;
    const auto picture = randomColours(pixels, 1), gradient = randomColours(pixels, 2);
    const auto found = bench.step(picture, gradient);
    const auto exposed = testDevice().download<glm::vec3>(bench.exposed, pixels);
    const auto rows = randomExposures();
    for (size_t p = 0; p < pixels; ++p) {
        const glm::vec4 colour(picture[p], 1);
        glm::vec3 back(0);
        for (int r = 0; r < 3; ++r) {
            const glm::vec4 row = rows[3 * kView + static_cast<size_t>(r)];
            ASSERT_NEAR(exposed[p][r], glm::dot(row, colour), 3e-6) << p;
            back += glm::vec3(row) * gradient[p][r];
        }
        ASSERT_LT(glm::distance(found[p], back), 3e-6) << p;
    }
    // After one step from zero the first moment is a tenth of the gradient.
    const auto sums = expectedGradient(picture, gradient);
    const auto moments = testDevice().download<shared::Moments4>(bench.buffer("exposure_moments"), 3 * kViews);
    for (size_t i = 0; i < 12; ++i) {
        const float m = moments[3 * kView + i / 4].m[static_cast<int>(i % 4)];
        EXPECT_NEAR(m, 0.1 * sums[i], 1.5e-7 * static_cast<double>(pixels) + 1e-6) << i;
    }
}

// Within a group, at its border, with one share a thread and with several.
INSTANTIATE_TEST_SUITE_P(Sizes, ExposureSizes,
                         testing::Values(glm::uvec2(1, 1), glm::uvec2(255, 1), glm::uvec2(16, 16), glm::uvec2(257, 3),
                                         glm::uvec2(411, 333)));

TEST(Exposure, StepsAreAdamsByTheViewsOwnCount) {
    const Bench bench(40, 30);
    std::vector<double> parameters;
    for (const glm::vec4& row : randomExposures())
        for (int k = 0; k < 4; ++k) parameters.push_back(static_cast<double>(row[k]));
    std::vector<std::span<double>> views;
    for (size_t view = 0; view < kViews; ++view) views.emplace_back(parameters.data() + 12 * view, 12);
    reference::AdamMoments moments(12);
    for (int64_t step = 1; step <= 5; ++step) {
        const auto picture = randomColours(1200, static_cast<uint64_t>(step)),
                   gradient = randomColours(1200, 50 + static_cast<uint64_t>(step));
        bench.step(picture, gradient);
        reference::stepAtSameMean(views, kView, expectedGradient(picture, gradient), moments, step,
                                  {.learningRate = static_cast<double>(kLearningRate)});
    }
    const auto rows = bench.rows();
    for (size_t i = 0; i < parameters.size(); ++i) EXPECT_NEAR(rows[i / 4][static_cast<int>(i % 4)], parameters[i], 2e-6) << i;
}

/// Otherwise splats could become darker and all exposures brighter, and renders have no exposure.
TEST(Exposure, TheMeanOfTheViewsStaysAsItIs) {
    const Bench bench(40, 30);
    for (uint64_t step = 1; step <= 20; ++step) bench.step(randomColours(1200, step), randomColours(1200, 50 + step));
    const auto rows = bench.rows(), before = randomExposures();
    EXPECT_GT(glm::distance(rows[3 * kView], before[3 * kView]), 5 * kLearningRate);
    for (size_t r = 0; r < 3; ++r) {
        glm::vec4 moved(0);
        for (size_t view = 0; view < kViews; ++view) moved += rows[3 * view + r] - before[3 * view + r];
        EXPECT_LT(glm::length(moved), 1e-5f) << r;
    }
}

TEST(Exposure, AHaltedStepChangesNothing) {
    const Bench bench(40, 30);
    testDevice().upload(bench.frame.state, std::vector{shared::FrameState{.halted = 1}});
    bench.step(randomColours(1200, 1), randomColours(1200, 2));
    EXPECT_EQ(bench.rows(), randomExposures());
    for (const float c : testDevice().download<float>(bench.buffer("exposure_corrections").words(), 2 * kViews)) EXPECT_EQ(c, 0);
    for (const auto& m : testDevice().download<shared::Moments4>(bench.buffer("exposure_moments"), 3 * kViews))
        EXPECT_EQ(m.v, glm::vec4(0));
}

TEST(Exposure, RerunsAreBitIdentical) {
    const auto picture = randomColours(90'000, 1), gradient = randomColours(90'000, 2);
    const Bench first(300, 300), second(300, 300);
    first.step(picture, gradient);
    second.step(picture, gradient);
    EXPECT_EQ(first.rows(), second.rows());
}

TEST(Exposure, StartsAsTheIdentity) {
    const Exposure exposure(testDevice(), 2, 16, 0);
    const auto rows = testDevice().download<glm::vec4>(*exposure.state()[0].second, 6);
    for (size_t i = 0; i < 6; ++i) {
        glm::vec4 expected(0);
        expected[static_cast<int>(i % 3)] = 1;
        EXPECT_EQ(rows[i], expected);
    }
}

TEST(Exposure, ValidationIsSilent) {
    Bench(70, 45).step(randomColours(3150, 1), randomColours(3150, 2));
    EXPECT_EQ(testDevice().validationMessages(), 0u);
}

}  // namespace
}  // namespace splat
