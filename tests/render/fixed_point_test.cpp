// Sums of gradients in fixed point, and what becomes of them.
#include <gtest/gtest.h>

#include <cmath>

#include <splatwright/core/rng.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/shared/frame.h>
#include "kernels/round_gradients.h"
#include "support/test_device.h"

namespace splat {
namespace {

constexpr size_t kWords = shared::kGradientRow;
constexpr double kOne = shared::kFixedOne;

glm::uvec2 fixedOf(double value) {
    const auto bits = static_cast<uint64_t>(std::llround(value * kOne));
    return {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32u)};
}

/// Sums of every size that fits, of both signs, and the half sizes of their splats.
struct Sums {
    explicit Sums(uint32_t gaussians) : projected(gaussians) {
        Rng rng(gaussians);
        for (shared::Projected& splat : projected) {
            splat.extent = glm::dvec2(rng.uniform(0.6, 4000), rng.uniform(0.6, 4000));
            const double unit = std::exp2(std::floor(std::log2(static_cast<double>(std::max(splat.extent.x, splat.extent.y)))));
            for (size_t word = 0; word < kWords; ++word) {
                const double exponent = rng.uniform(-40, 16.9);
                const bool power = word % 3 == 0;  // of two: most of these have a lower word of 0
                const double sign = word >= shared::kGradientWords ? 0 : rng.uniform(0, 1) < 0.5 ? -1 : 1;
                const double value = std::exp2(power ? std::floor(exponent) : exponent) * sign;
                if (word < shared::kGradientWords) fixed.push_back(fixedOf(value));
                const bool isMean = word < 2 || word == 9 || word == 10;  // mean, absolute
                const double lengths = isMean ? 1 / unit : word < 5 ? unit * unit : 1;
                expected.push_back(static_cast<double>(std::llround(value * kOne)) / kOne * lengths);
            }
        }
    }
    std::vector<shared::Projected> projected;
    std::vector<glm::uvec2> fixed;
    std::vector<double> expected;
};

std::vector<float> rounded(const Sums& sums, const std::vector<uint32_t>& visible) {
    gpu::Device& d = testDevice();
    const size_t gaussians = sums.projected.size();
    const gpu::Buffer count = d.buffer<uint32_t>("visible count", 1), list = d.buffer<uint32_t>("visible", gaussians);
    const gpu::Buffer projected = d.buffer<shared::Projected>("projected", gaussians),
                      fixed = d.buffer<glm::uvec2>("sums", size_t{shared::kGradientWords} * gaussians);
    const gpu::Buffer gradients = d.buffer<shared::SplatGradient>("gradients", gaussians);
    d.upload(count, std::vector{static_cast<uint32_t>(visible.size())});
    d.upload(list, visible);
    d.upload(projected, sums.projected);
    d.upload(fixed, sums.fixed);
    d.run("round", [&](gpu::Commands& c) {
        c.fill(gradients, 0);
        c.dispatchGroups(kernels::round_gradients{.visibleCount = count,
                                                  .gaussianFromVisible = list,
                                                  .projected = projected,
                                                  .sums = fixed,
                                                  .gradients = gradients,
                                                  .kAbsolute = 1,
                                                  .kCarried = shared::kCarriesNormal},
                         (visible.size() + 255) / 256);
    });
    return d.download<float>(gradients.words(), kWords * gaussians);
}

TEST(FixedPoint, SumsBecomeTheNearestFloatsInPixels) {
    for (const uint32_t gaussians : {1u, 255u, 256u, 257u, 1000u}) {
        const Sums sums(gaussians);
        std::vector<uint32_t> visible;
        for (uint32_t g = 0; g < gaussians; g += 3) visible.push_back(g);
        const std::vector<float> found = rounded(sums, visible);
        for (size_t i = 0; i < found.size(); ++i) {
            const double expected = i / kWords % 3 == 0 ? sums.expected[i] : 0.0;
            ASSERT_NEAR(static_cast<double>(found[i]), expected, std::abs(expected) * 2e-7) << gaussians << " gaussians, word " << i;
        }
    }
}

}  // namespace
}  // namespace splat
