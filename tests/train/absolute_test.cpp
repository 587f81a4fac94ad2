// Gradients without sign: what each pixel asks for on its own, added up.
#include <gtest/gtest.h>

#include <algorithm>

#include <splatwright/core/rng.h>
#include <splatwright/render/backward.h>
#include "reference/scenes.h"
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

struct Bench {
    Bench(const AccumulationRow& rowOf, const reference::Scene& scene)
        : row(rowOf),
          gpuScene(testDevice(), scene.gaussians, scene.camera, glm::vec3(0.2f)),
          forward(testDevice(), testSort()),
          transient(gpuScene.frame.transient()),
          backward(testDevice(), gpuScene.frame.capacity, rowOf, transient),
          colourGradients(testDevice().buffer<glm::vec3>("colour gradients", gpuScene.frame.capacity.pixels())) {}

    /// Of the visible gaussians; zeros for others.
    std::vector<shared::SplatGradient> gradients(const std::vector<glm::vec3>& ofPixels, bool absolute) const {
        gpu::Device& device = testDevice();
        const ViewSelection view = gpuScene.selection();
        device.upload(colourGradients, ofPixels);
        device.run("gradients", [&](gpu::Commands& c) {
            forward.record(c, gpuScene.model, gpuScene.frame, view);
            recordBackward(device, c, row,
                           {.model = gpuScene.model,
                            .frame = gpuScene.frame,
                            .buffers = backward,
                            .view = view,
                            .colourGradients = colourGradients,
                            .absolute = absolute});
        });
        auto all = device.download<shared::SplatGradient>(backward.gradients, gpuScene.model.capacity);
        const auto tiles = device.download<uint32_t>(gpuScene.frame.tileCounts, gpuScene.model.capacity);
        for (size_t i = 0; i < all.size(); ++i) {
            if (tiles[i] == 0) all[i] = {};
        }
        return all;
    }

    const AccumulationRow& row;
    GpuScene gpuScene;
    Forward forward;
    gpu::Arena transient;
    BackwardBuffers backward;
    gpu::Buffer colourGradients;
};

std::vector<size_t> somePixels(size_t all) {
    Rng rng(5);
    std::vector<size_t> pixels;
    for (int i = 0; i < 25; ++i) pixels.push_back(rng.below(static_cast<uint32_t>(all)));
    std::sort(pixels.begin(), pixels.end());
    pixels.erase(std::unique(pixels.begin(), pixels.end()), pixels.end());
    return pixels;
}

class AbsoluteGradients : public testing::TestWithParam<std::string> {};

TEST_P(AbsoluteGradients, AddUpWhatEachPixelAsksFor) {
    const Bench bench(accumulationByName(GetParam()), reference::makeScene("mixed", 5));
    const size_t pixels = bench.gpuScene.frame.capacity.pixels();
    std::vector<glm::vec3> together(pixels, glm::vec3(0));
    std::vector<glm::vec2> expected(bench.gpuScene.model.capacity, glm::vec2(0));
    float largest = 0;
    for (const size_t p : somePixels(pixels)) {
        std::vector<glm::vec3> alone(pixels, glm::vec3(0));
        together[p] = alone[p] = {p % 3 == 0 ? -1.0f : 1.0f, 0.5f, p % 2 == 0 ? -0.7f : 0.3f};
        const auto found = bench.gradients(alone, false);
        for (size_t i = 0; i < found.size(); ++i) expected[i] += glm::abs(found[i].mean);
    }
    const auto found = bench.gradients(together, true);
    for (const glm::vec2& e : expected) largest = std::max({largest, e.x, e.y});
    ASSERT_GT(largest, 0.1f);
    bool cancels = false;
    for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_LE(glm::distance(found[i].absolute, expected[i]), 2e-6f * largest) << i;  // the same floats in another order
        cancels |= glm::length(found[i].mean) < 0.5f * glm::length(found[i].absolute);
    }
    EXPECT_TRUE(cancels);
}

INSTANTIATE_TEST_SUITE_P(AllRows, AbsoluteGradients, testing::ValuesIn(accumulationNames()), accumulationTestName);

}  // namespace
}  // namespace splat
