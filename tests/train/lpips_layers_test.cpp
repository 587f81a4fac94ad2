#include <splatwright/train/evaluate/lpips_layers.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/shared/evaluate.h>
#include "reference/lpips.h"
#include "support/test_device.h"
#include "train/lpips_samples.h"

namespace splat {
namespace {

using reference::ConvolutionWeights;
using reference::Features;

constexpr float kSentinel = -12345;
constexpr size_t kGuard = 300;  // floats behind an output that no kernel may write

Features randomFeatures(glm::uvec2 size, uint32_t channels, uint64_t seed) {
    Rng rng(seed);
    Features features(static_cast<int>(channels), static_cast<int>(size.x), static_cast<int>(size.y));
    for (double& value : features.values) value = static_cast<double>(static_cast<float>(rng.uniform(-1, 1)));
    return features;
}

gpu::Buffer uploaded(const std::vector<float>& values) {
    gpu::Buffer buffer = testDevice().buffer<float>("values", values.size());
    testDevice().upload(buffer, values);
    return buffer;
}

gpu::Buffer uploaded(const Features& features) { return uploaded(std::vector<float>(features.values.begin(), features.values.end())); }

/// Runs a kernel that writes `count` floats; fails if it writes beyond them or leaves one out.
template <class Record>
std::vector<float> outputOf(size_t count, const Record& record) {
    const gpu::Buffer output = uploaded(std::vector<float>(count + kGuard, kSentinel));
    testDevice().run("test", [&](gpu::Commands& commands) { record(commands, output); });
    std::vector<float> values = testDevice().download<float>(output, count + kGuard);
    EXPECT_EQ(std::count(values.begin() + static_cast<std::ptrdiff_t>(count), values.end(), kSentinel), static_cast<int>(kGuard));
    values.resize(count);
    EXPECT_EQ(std::ranges::count(values, kSentinel), 0);
    return values;
}

std::vector<float> convolvedOnGpu(const LpipsLayer& layer, const Features& input, const ConvolutionWeights& weights) {
    const glm::uvec2 size(input.width, input.height), out = layer.windows(size);
    const gpu::Buffer from = uploaded(input), values = uploaded(weights.weights), biases = uploaded(weights.biases);
    return outputOf(size_t{layer.outputs} * out.x * out.y, [&](gpu::Commands& commands, const gpu::Buffer& output) {
        recordConvolution(commands, layer, size, {from, values, biases, output});
    });
}

ConvolutionWeights randomWeights(const LpipsLayer& layer, uint64_t seed) {
    Rng rng(seed);
    const double range = std::sqrt(6.0 / layer.taps());
    return {.weights = test::uniformNumbers(rng, size_t{layer.outputs} * layer.taps(), -range, range),
            .biases = test::uniformNumbers(rng, layer.outputs, -0.5, 0.5),
            .head = {}};
}

struct ConvolutionCase {
    LpipsLayer layer;
    glm::uvec2 size;
};

class Convolution : public testing::TestWithParam<ConvolutionCase> {};

// A float sum of n products of size 1/sqrt(n) is off by about sqrt(n) roundings at most: 1e-5 for the 4,608 of VGG16.
TEST_P(Convolution, IsTheReferences) {
    const auto& [layer, size] = GetParam();
    const Features input = randomFeatures(size, layer.inputs, 1);
    const ConvolutionWeights weights = randomWeights(layer, 2);
    const std::vector<float> found = convolvedOnGpu(layer, input, weights);
    const Features expected = reference::convolved(input, weights, static_cast<int>(layer.window), static_cast<int>(layer.stride),
                                                   static_cast<int>(layer.padding));
    ASSERT_EQ(found.size(), expected.values.size());
    for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected.values[i], 1e-5) << i;
    EXPECT_GT(std::ranges::max(found), 0.1F);
}

constexpr uint32_t kTile = shared::kConvolutionPixels, kChannelTile = shared::kConvolutionChannels;

// Pixels and channels around those of one group and of several, taps around a multiple of the 16 in groupshared memory, and windows of every
// layer of both networks.
INSTANTIATE_TEST_SUITE_P(Shapes, Convolution,
                         testing::Values(ConvolutionCase{{.inputs = 1, .outputs = 1, .window = 1}, {1, 1}},
                                         ConvolutionCase{{.inputs = 15, .outputs = 3, .window = 1}, {kTile - 1, 1}},
                                         ConvolutionCase{{.inputs = 16, .outputs = kChannelTile - 1, .window = 1}, {1, kTile}},
                                         ConvolutionCase{{.inputs = 17, .outputs = kChannelTile, .window = 1}, {kTile + 1, 1}},
                                         ConvolutionCase{{.inputs = 2, .outputs = kChannelTile + 1, .window = 3, .padding = 1}, {43, 3}},
                                         ConvolutionCase{{.inputs = 3, .outputs = 2 * kChannelTile, .window = 3, .padding = 1}, {35, 41}},
                                         ConvolutionCase{{.inputs = 3, .outputs = 64, .window = 11, .stride = 4, .padding = 2}, {41, 35}},
                                         ConvolutionCase{{.inputs = 64, .outputs = 192, .window = 5, .padding = 2}, {3, 4}},
                                         ConvolutionCase{{.inputs = 512, .outputs = 512, .window = 3, .padding = 1}, {2, 2}}));

/// A layer whose channel o is input channel o, taken from the middle of the window.
ConvolutionWeights identity(const LpipsLayer& layer) {
    ConvolutionWeights weights{.weights = std::vector<float>(size_t{layer.outputs} * layer.taps()), .biases = {}, .head = {}};
    weights.biases.resize(layer.outputs);
    const uint32_t area = layer.window * layer.window;
    for (uint32_t o = 0; o < layer.outputs; ++o) weights.weights[o * layer.taps() + o * area + area / 2] = 1;
    return weights;
}

TEST(ConvolutionProperties, TheIdentityKeepsPositiveValuesBitForBit) {
    const LpipsLayer layer{.inputs = 5, .outputs = 5, .window = 3, .padding = 1};
    const Features input = randomFeatures({23, 17}, layer.inputs, 3);
    const std::vector<float> found = convolvedOnGpu(layer, input, identity(layer));
    for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], std::max(static_cast<float>(input.values[i]), 0.0F)) << i;
}

TEST(ConvolutionProperties, AllInOneSubmissionSeeTheOthersResults) {
    const LpipsLayer layer{.inputs = 2, .outputs = 2, .window = 3, .padding = 1};
    const glm::uvec2 size(19, 21);
    const Features input = randomFeatures(size, 2, 4);
    const ConvolutionWeights weights = identity(layer);
    const gpu::Buffer a = uploaded(input), b = uploaded(input), values = uploaded(weights.weights), biases = uploaded(weights.biases);
    testDevice().run("chain", [&](gpu::Commands& commands) {
        for (int i = 0; i < 4; ++i) {
            recordConvolution(commands, layer, size, {a, values, biases, b});
            recordConvolution(commands, layer, size, {b, values, biases, a});
        }
    });
    const std::vector<float> found = testDevice().download<float>(a, input.values.size());
    for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], std::max(static_cast<float>(input.values[i]), 0.0F)) << i;
}

using PoolingCase = std::tuple<uint32_t, uint32_t, glm::uvec2>;  // window, channels, size

class Pooling : public testing::TestWithParam<PoolingCase> {};

TEST_P(Pooling, IsTheReferences) {
    const auto [window, channels, size] = GetParam();
    const LpipsLayer layer{.inputs = channels, .outputs = 1, .window = 1, .pooledWindow = window};
    const Features input = randomFeatures(size, channels, 5);
    const Features expected = reference::maxPooled(input, static_cast<int>(window), 2);
    const gpu::Buffer from = uploaded(input);
    const glm::uvec2 out = layer.pooled(size);
    const std::vector<float> found = outputOf(size_t{channels} * out.x * out.y, [&](gpu::Commands& commands, const gpu::Buffer& output) {
        recordPooling(commands, layer, size, from, output);
    });
    EXPECT_EQ(std::vector<double>(found.begin(), found.end()), expected.values);
}

// 1, 255, 256, 257 and 1,530 outputs: a group has 256 threads.
INSTANTIATE_TEST_SUITE_P(Shapes, Pooling,
                         testing::Values(PoolingCase{2, 1, {2, 3}}, PoolingCase{2, 5, {6, 34}}, PoolingCase{2, 1, {33, 32}},
                                         PoolingCase{3, 1, {515, 4}}, PoolingCase{3, 9, {35, 21}}));

struct Distance : testing::TestWithParam<std::pair<glm::uvec2, uint32_t>> {
    /// Mean over pixels.
    static double onGpu(const Features& a, const Features& b, const std::vector<float>& head) {
        const glm::uvec2 size(a.width, a.height);
        const gpu::Buffer first = uploaded(a), second = uploaded(b), weights = uploaded(head);
        const std::vector<float> sums = outputOf(distanceGroups(size), [&](gpu::Commands& commands, const gpu::Buffer& output) {
            recordDistance(commands, static_cast<uint32_t>(a.channels), size, {first, second, weights, output});
        });
        return std::accumulate(sums.begin(), sums.end(), 0.0) / (a.width * a.height);
    }
    static std::vector<float> randomHead(uint32_t channels) {
        Rng rng(8);
        return test::uniformNumbers(rng, channels, 0, 1);
    }
};

TEST_P(Distance, IsTheReferences) {
    const auto [size, channels] = GetParam();
    Features a = randomFeatures(size, channels, 6), b = randomFeatures(size, channels, 7);
    for (int c = 0; c < a.channels; ++c) a.row(c, 0)[0] = 0;  // a pixel without features
    const double expected = reference::featureDistance(a, b, randomHead(channels));
    EXPECT_NEAR(onGpu(a, b, randomHead(channels)), expected, 1e-5 * expected);
}

TEST_P(Distance, OfEqualFeaturesIsZero) {
    const auto [size, channels] = GetParam();
    const Features a = randomFeatures(size, channels, 6);
    EXPECT_EQ(onGpu(a, a, randomHead(channels)), 0);
}

// Powers of two change no digit.
TEST_P(Distance, IgnoresTheLengthOfFeatures) {
    const auto [size, channels] = GetParam();
    const Features a = randomFeatures(size, channels, 6), b = randomFeatures(size, channels, 7);
    Features longer = a;
    for (double& value : longer.values) value *= 8;
    EXPECT_EQ(onGpu(longer, b, randomHead(channels)), onGpu(a, b, randomHead(channels)));
}

// 1, 255, 256, 257 and many pixels: a group has 256 threads.
INSTANTIATE_TEST_SUITE_P(Sizes, Distance,
                         testing::Values(std::pair{glm::uvec2(1, 1), 1u}, std::pair{glm::uvec2(51, 5), 7u},
                                         std::pair{glm::uvec2(16, 16), 64u}, std::pair{glm::uvec2(257, 1), 3u},
                                         std::pair{glm::uvec2(61, 43), 19u}));

}  // namespace
}  // namespace splat
