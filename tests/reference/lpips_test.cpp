#include "reference/lpips.h"

#include <cmath>

#include <gtest/gtest.h>

namespace splat::reference {
namespace {

Features numbered(int channels, int width, int height) {
    Features features(channels, width, height);
    for (size_t i = 0; i < features.values.size(); ++i) features.values[i] = static_cast<double>(i + 1);
    return features;
}

// 1 2 3      Window 2 with stride 2 and one zero around: the windows' corners are at (-1, -1), (1, -1), (-1, 1) and (1, 1).
// 4 5 6      Weights 1 10 100 1000 from the left above.
// 7 8 9
TEST(ReferenceLpips, ConvolutionAgreesWithAHandExample) {
    const Features out = convolved(numbered(1, 3, 3), {.weights = {1, 10, 100, 1000}, .biases = {-2000}, .head = {}}, 2, 2, 1);
    EXPECT_EQ(out.width, 2);
    EXPECT_EQ(out.height, 2);
    EXPECT_EQ(out.values, (std::vector<double>{0, 200 + 3000 - 2000, 40 + 7000 - 2000, 5 + 60 + 800 + 9000 - 2000}));
}

TEST(ReferenceLpips, ConvolutionAddsUpOverChannels) {
    const Features out = convolved(numbered(2, 1, 1), {.weights = {10, 100, 3, 4}, .biases = {1, 2}, .head = {}}, 1, 1, 0);
    EXPECT_EQ(out.values, (std::vector<double>{10 + 200 + 1, 3 + 8 + 2}));
}

TEST(ReferenceLpips, PoolingLeavesOutWhatFillsNoWindow) {
    const Features out = maxPooled(numbered(2, 4, 3), 2, 2);
    EXPECT_EQ(out.height, 1);
    EXPECT_EQ(out.values, (std::vector<double>{6, 8, 18, 20}));
}

// Unit vectors (0.6, 0.8) and (1, 0): 2 * 0.4² + 5 * 0.8². The second pixel is equal in both.
TEST(ReferenceLpips, DistanceAgreesWithAHandExample) {
    Features a(2, 2, 1), b(2, 2, 1);
    a.values = {3, 1, 4, 1};
    b.values = {7, 2, 0, 2};
    EXPECT_NEAR(featureDistance(a, b, std::vector<float>{2, 5}), (2 * 0.16 + 5 * 0.64) / 2, 1e-8);
}

}  // namespace
}  // namespace splat::reference
