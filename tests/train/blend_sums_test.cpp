// Sums over the fragments of each splat in the backward pass, against a double reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <splatwright/core/rng.h>
#include <splatwright/render/backward.h>
#include "reference/densify.h"
#include "reference/render.h"
#include "reference/scenes.h"
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

const glm::vec3 kBackground(0.2f, 0.4f, 0.1f);

/// dL/dcolour and the value of each pixel; both zero where single precision may decide otherwise than double.
struct Pixels {
    std::vector<glm::vec3> gradients;
    std::vector<float> values;
    size_t nearCut = 0;
};

Pixels pixelsOf(const reference::Rendering& picture) {
    Rng rng(11);
    Pixels pixels;
    const float scale = 1.0f / static_cast<float>(picture.colour.pixels.size());  // as in a mean over values
    for (const uint8_t nearCut : picture.nearCut.pixels) {
        const auto number = [&] { return 2 * static_cast<float>(rng.uniform()) - 1; };
        const glm::vec3 gradient = scale * glm::vec3(number(), number(), number());
        const float value = std::abs(number());
        pixels.gradients.push_back(nearCut ? glm::vec3(0) : gradient);
        pixels.values.push_back(nearCut ? 0 : value);
        pixels.nearCut += nearCut;
    }
    return pixels;
}

/// A backward pass with sums.
struct Bench {
    Bench(const AccumulationRow& rowOf, const reference::Scene& scene, const Pixels& pixels)
        : row(rowOf),
          gpuScene(testDevice(), scene.gaussians, scene.camera, kBackground),
          forward(testDevice(), testSort()),
          transient(gpuScene.frame.transient()),
          backward(testDevice(), gpuScene.frame.capacity, rowOf, transient),
          gradients(testDevice().buffer<glm::vec3>("colour gradients", pixels.gradients.size())),
          values(testDevice().buffer<float>("pixel values", pixels.values.size())) {
        testDevice().upload(gradients, pixels.gradients);
        testDevice().upload(values, pixels.values);
    }

    void run(BlendSumsKind kind) const {
        gpu::Device& device = testDevice();
        const ViewSelection view = gpuScene.selection();
        device.run("sums", [&](gpu::Commands& c) {
            forward.record(c, gpuScene.model, gpuScene.frame, view);
            recordBackward(device, c, row,
                           {.model = gpuScene.model,
                            .frame = gpuScene.frame,
                            .buffers = backward,
                            .view = view,
                            .colourGradients = gradients,
                            .sums = kind,
                            .pixelValues = values});
        });
    }
    /// Zeros for invisible Gaussians.
    template <class Row>
    std::vector<Row> rows(const gpu::Buffer& buffer) const {
        auto all = testDevice().download<Row>(buffer, gpuScene.model.capacity);
        const auto tiles = testDevice().download<uint32_t>(gpuScene.frame.tileCounts, gpuScene.model.capacity);
        for (size_t i = 0; i < all.size(); ++i) {
            if (tiles[i] == 0) all[i] = {};
        }
        return all;
    }
    std::vector<shared::BlendSums> sums(BlendSumsKind kind) const {
        run(kind);
        return rows<shared::BlendSums>(backward.blendSums);
    }

    const AccumulationRow& row;
    GpuScene gpuScene;
    Forward forward;
    gpu::Arena transient;
    BackwardBuffers backward;
    gpu::Buffer gradients, values;
};

/// Adds the fragments of one pixel, back to front: what is behind a fragment follows from those before it.
void addPixel(std::vector<reference::Blended>& sums, const std::vector<reference::Projected>& projected, const reference::PixelTrace& trace,
              const glm::dvec3& gradient, double value, double pixels, BlendSumsKind kind) {
    const double values = 3 * pixels, largest = std::max({std::abs(gradient.x), std::abs(gradient.y), std::abs(gradient.z)});
    glm::dvec3 behind(kBackground);
    for (auto c = trace.contributions.rbegin(); c != trace.contributions.rend(); ++c) {
        const double weight = c->alpha.value * c->transmittance;
        const double byAlpha = c->transmittance * glm::dot(gradient, projected[c->splat].colour - behind);
        const double error = byAlpha * c->alpha.slope * c->gaussian * values * largest * values;
        behind = c->alpha.value * projected[c->splat].colour + (1 - c->alpha.value) * behind;
        reference::Blended& sum = sums[c->splat];
        sum.weight += weight;
        if (kind == BlendSumsKind::values) sum.value += weight * value;
        if (kind != BlendSumsKind::errors) continue;
        sum.value += error;
        sum.square += error * error;
        sum.count += 1;
    }
}

std::vector<reference::Blended> referenceSums(const reference::Scene& scene, const Pixels& pixels, BlendSumsKind kind) {
    const reference::Settings settings{.background = kBackground};
    const auto projected = reference::projectAll(reference::fromGaussians(scene.gaussians), scene.camera, settings);
    const auto order = reference::depthOrder(projected);
    std::vector<reference::Blended> sums(projected.size());
    for (int y = 0; y < scene.camera.height; ++y)
        for (int x = 0; x < scene.camera.width; ++x) {
            const auto pixel = static_cast<size_t>(y * scene.camera.width + x);
            addPixel(sums, projected, reference::tracePixel(projected, order, {x + 0.5, y + 0.5}, settings),
                     glm::dvec3(pixels.gradients[pixel]), static_cast<double>(pixels.values[pixel]),
                     static_cast<double>(pixels.gradients.size()), kind);
        }
    return sums;
}

/// Weights and counts hold every pixel, and one near a cut may have or lack a fragment.
void expectSums(const std::vector<shared::BlendSums>& found, const std::vector<reference::Blended>& expected, double nearCut,
                const std::string& where) {
    reference::Blended most;
    for (const reference::Blended& e : expected)
        most = {std::max(most.weight, e.weight), std::max(most.value, std::abs(e.value)), std::max(most.square, e.square), 0};
    for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(static_cast<double>(found[i].weight), expected[i].weight, 1e-4 * most.weight + 0.005 * nearCut) << where << ", " << i;
        EXPECT_NEAR(static_cast<double>(found[i].value), expected[i].value, 1e-4 * most.value) << where << ", " << i;
        EXPECT_NEAR(static_cast<double>(found[i].square), expected[i].square, 1e-4 * most.square) << where << ", " << i;
        EXPECT_NEAR(static_cast<double>(found[i].count), expected[i].count, nearCut) << where << ", " << i;
    }
}

constexpr std::array kKinds{BlendSumsKind::weights, BlendSumsKind::values, BlendSumsKind::errors};

class BlendSums : public testing::TestWithParam<std::string> {
protected:
    void expectReference(const reference::Scene& scene, const std::string& name) const {
        const auto picture = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {.background = kBackground});
        const Pixels pixels = pixelsOf(picture);
        const Bench bench(accumulationByName(GetParam()), scene, pixels);
        for (const BlendSumsKind kind : kKinds)
            expectSums(bench.sums(kind), referenceSums(scene, pixels, kind), static_cast<double>(pixels.nearCut), name);
    }
};

TEST_P(BlendSums, AgreeWithTheDoubleReference) {
    for (const std::string& name : reference::sceneNames()) expectReference(reference::makeScene(name, 3), name);
}

TEST_P(BlendSums, AgreeAroundTheSizeOfAGroup) {
    for (const size_t count : {1u, 255u, 256u, 257u}) expectReference(reference::makeMixedScene(count, 37, 21, 4), std::to_string(count));
}

TEST_P(BlendSums, LeaveTheGradientsAsTheyAre) {
    const AccumulationRow& row = accumulationByName(GetParam());
    const reference::Scene scene = reference::makeScene("mixed", 5);
    const Bench bench(row, scene, pixelsOf(reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {})));
    bench.run(BlendSumsKind::none);
    const auto without = bench.rows<shared::SplatGradient>(bench.backward.gradients);
    const auto sums = bench.sums(BlendSumsKind::errors);
    const auto with = bench.rows<shared::SplatGradient>(bench.backward.gradients);
    for (size_t i = 0; i < with.size(); ++i) {
        const glm::vec3 difference = with[i].colour - without[i].colour;
        EXPECT_LE(glm::length(difference), 1e-5f * glm::length(without[i].colour)) << i;  // floats add up in any order
    }
    if (!row.deterministic) return;
    EXPECT_EQ(std::memcmp(with.data(), without.data(), with.size() * sizeof(with[0])), 0);
    const auto repeated = bench.sums(BlendSumsKind::errors);
    EXPECT_EQ(std::memcmp(repeated.data(), sums.data(), sums.size() * sizeof(sums[0])), 0);
}

INSTANTIATE_TEST_SUITE_P(AllRows, BlendSums, testing::ValuesIn(accumulationNames()), accumulationTestName);

}  // namespace
}  // namespace splat
