// Backward passes with one thread per pixel: which lanes add what, against the double reference, and their gradients against another method.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include <splatwright/core/rng.h>
#include <splatwright/render/lane_counts.h>
#include "reference/render.h"
#include "reference/scenes.h"
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

const glm::vec3 kBackground(0.2f, 0.4f, 0.1f);
constexpr uint32_t kGradientFloats = shared::kGradientRow;
constexpr uint32_t kRedWord = offsetof(shared::SplatGradient, colour) / sizeof(float);

/// A frame with its forward pass done, and buffers for the gradients of any method.
struct Frame {
    Frame(gpu::Device& on, const primitives::RadixSort& sort, const reference::Scene& scene, const std::vector<glm::vec3>& ofPixels)
        : device(on),
          gpuScene(on, scene.gaussians, scene.camera, kBackground),
          transient(gpuScene.frame.transient()),
          backward(on, gpuScene.frame.capacity, accumulationByName("subtile"), transient),
          view(gpuScene.selection()),
          colourGradients(on.buffer<glm::vec3>("colour gradients", ofPixels.size())) {
        device.upload(colourGradients, ofPixels);
        const Forward forward(device, sort);
        device.run("forward", [&](gpu::Commands& c) { forward.record(c, gpuScene.model, gpuScene.frame, view); });
    }
    BackwardJob job(uint32_t threshold = 2) const {
        return {.model = gpuScene.model,
                .frame = gpuScene.frame,
                .buffers = backward,
                .view = view,
                .colourGradients = colourGradients,
                .balanceThreshold = threshold};
    }
    /// Words of all gradients.
    template <class Word>
    std::vector<Word> words() const {
        return device.download<Word>(backward.gradients.words(), size_t{kGradientFloats} * gpuScene.model.capacity);
    }
    std::vector<float> gradients(const AccumulationRow& row, uint32_t threshold = 2) const {
        device.run("backward", [&](gpu::Commands& c) { recordBackward(device, c, row, job(threshold)); });
        return words<float>();
    }

    gpu::Device& device;
    GpuScene gpuScene;
    gpu::Arena transient;
    BackwardBuffers backward;
    ViewSelection view;
    gpu::Buffer colourGradients;
};

size_t pixelsOf(const reference::Scene& scene) { return static_cast<size_t>(scene.camera.width * scene.camera.height); }

std::vector<glm::vec3> randomGradients(size_t pixels) {
    Rng rng(11);
    std::vector<glm::vec3> gradients(pixels);
    for (glm::vec3& g : gradients) g = glm::vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
    return gradients;
}

/// Tiles that the image cuts, and no pixel where single precision may decide otherwise than double.
reference::Scene certainScene(size_t count) {
    for (uint64_t seed = 1;; ++seed) {
        const reference::Scene scene = reference::makeMixedScene(count, 37, 21, seed);
        const auto picture = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {.background = kBackground});
        if (std::ranges::count(picture.nearCut.pixels, 1) == 0) return scene;
    }
}

/// Active lanes of each pair of a subgroup and a splat with any, by Gaussian.
std::vector<std::vector<uint32_t>> activeLanes(const reference::Scene& scene, uint32_t lanes) {
    const reference::Settings settings{.background = kBackground};
    const auto projected = reference::projectAll(reference::fromGaussians(scene.gaussians), scene.camera, settings);
    const auto order = reference::depthOrder(projected);
    std::map<std::array<size_t, 3>, uint32_t> active;  // by Gaussian, tile and subgroup
    for (int y = 0; y < scene.camera.height; ++y)
        for (int x = 0; x < scene.camera.width; ++x) {
            constexpr int kSize = shared::kTileSize;
            const auto tile = static_cast<size_t>(y / kSize * 1000 + x / kSize);
            const auto subgroup = static_cast<size_t>(y % kSize * kSize + x % kSize) / lanes;
            const auto trace = reference::tracePixel(projected, order, {x + 0.5, y + 0.5}, settings);
            for (const reference::Contribution& c : trace.contributions) ++active[{c.splat, tile, subgroup}];
        }
    std::vector<std::vector<uint32_t>> found(scene.gaussians.count());
    for (const auto& [where, count] : active) found[where[0]].push_back(count);
    return found;
}

TEST(LaneCounts, AreThoseOfTheDoubleReference) {
    const uint32_t lanes = summedLanes(testDevice());
    if (lanes == 0) GTEST_SKIP() << testDevice().name() << " has no subgroups to count lanes of";
    for (const size_t count : {1u, 60u, 255u, 257u}) {
        const reference::Scene scene = certainScene(count);
        const Frame frame(testDevice(), testSort(), scene, randomGradients(pixelsOf(scene)));
        const LaneCounts found = countLanes(testDevice(), frame.job());
        std::vector<uint64_t> expected(lanes + 1);
        for (const auto& pairs : activeLanes(scene, lanes))
            for (const uint32_t active : pairs) ++expected[active];
        const auto last = testDevice().download<uint32_t>(frame.gpuScene.frame.tileLast, frame.gpuScene.frame.capacity.tiles());
        const uint64_t all = shared::kTilePixels / lanes * std::accumulate(last.begin(), last.end(), uint64_t{0});
        expected[0] = all - std::accumulate(expected.begin(), expected.end(), uint64_t{0});
        EXPECT_EQ(found.pairs, expected) << count;
        EXPECT_EQ(found.several, 0u);
    }
}

/// Additions to a word by the active lanes of a subgroup.
uint32_t additions(const AccumulationRow& row, uint32_t active, uint32_t lanes, uint32_t threshold) {
    const bool sums = lanes > 0 && row.name != "atomic" && row.name != "cas";
    const bool enough = !row.balanced || 8 * active >= threshold * lanes;
    return sums && enough ? 1 : active;
}

/// Methods that count, but for those whose sums are over more than a subgroup's lanes.
std::vector<std::string> rowsOfLanes() {
    std::vector<std::string> names = accumulationNames();
    std::erase_if(names,
                  [](const std::string& name) { return !accumulationByName(name).count || name == "subtile" || name == "tree-cas"; });
    return names;
}

double relativeError(const std::vector<float>& found, const std::vector<float>& expected) {
    double difference = 0, norm = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        difference += std::pow(static_cast<double>(found[i]) - static_cast<double>(expected[i]), 2);
        norm += std::pow(static_cast<double>(expected[i]), 2);
    }
    return std::sqrt(difference / norm);
}

class LaneSums : public testing::TestWithParam<std::string> {
protected:
    static void expectGradients(gpu::Device& device, const primitives::RadixSort& sort, const reference::Scene& scene) {
        const Frame frame(device, sort, scene, randomGradients(pixelsOf(scene)));
        const std::vector<float> expected = frame.gradients(accumulationByName("subtile"));
        for (const uint32_t threshold : {0u, 1u, 4u, 7u, 8u})
            EXPECT_LE(relativeError(frame.gradients(accumulationByName(GetParam()), threshold), expected), 1e-5) << threshold;
    }
};

TEST_P(LaneSums, MakeOneAdditionWhereEnoughLanesAreActive) {
    const AccumulationRow& row = accumulationByName(GetParam());
    const reference::Scene scene = certainScene(60);
    const Frame frame(testDevice(), testSort(), scene, std::vector<glm::vec3>(pixelsOf(scene), glm::vec3(1)));
    const uint32_t lanes = summedLanes(testDevice());
    const auto active = activeLanes(scene, std::max(lanes, 1u));
    for (uint32_t threshold = 0; threshold <= shared::kBalanceParts; ++threshold) {
        const uint64_t sum = countAdditions(testDevice(), row, frame.job(threshold));
        const auto words = frame.words<uint32_t>();
        EXPECT_EQ(sum, std::accumulate(words.begin(), words.end(), uint64_t{0}));
        for (size_t i = 0; i < active.size(); ++i) {
            uint32_t expected = 0;
            for (const uint32_t count : active[i]) expected += additions(row, count, lanes, threshold);
            EXPECT_EQ(words[i * kGradientFloats + kRedWord], expected) << "Gaussian " << i << ", threshold " << threshold;
        }
    }
}
TEST_P(LaneSums, AgreeWithAnotherMethodAtEveryThreshold) {
    for (const char* name : {"mixed", "crowdedTile", "opaque", "tinyImage"})
        expectGradients(testDevice(), testSort(), reference::makeScene(name, 3));
    for (const size_t count : {255u, 256u, 257u}) expectGradients(testDevice(), testSort(), reference::makeMixedScene(count, 37, 21, 4));
}

TEST_P(LaneSums, AgreeWithoutFeatures) {
    for (const char* feature : {"float-atomics", "subgroup-operations", "subgroup-size-control", "maximal-reconvergence", "all"}) {
        gpu::Device device(testDeviceOptions({feature}));
        const primitives::RadixSort sort(device);
        expectGradients(device, sort, reference::makeMixedScene(257, 37, 21, 4));
        EXPECT_EQ(device.validationMessages(), 0u);
    }
}

TEST_P(LaneSums, RefuseAThresholdAboveAWholeSubgroup) {
    const reference::Scene scene = reference::makeScene("mixed", 3);
    const Frame frame(testDevice(), testSort(), scene, randomGradients(pixelsOf(scene)));
    EXPECT_THROW(frame.gradients(accumulationByName(GetParam()), shared::kBalanceParts + 1), std::logic_error);
}
INSTANTIATE_TEST_SUITE_P(AllRows, LaneSums, testing::ValuesIn(rowsOfLanes()), accumulationTestName);

}  // namespace
}  // namespace splat
