#include "reference/filter.h"

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/scenes.h"
#include "reference/update.h"

namespace splat::reference {
namespace {

constexpr Camera kCamera{.width = 100, .height = 80, .fx = 50, .fy = 40, .cx = 50, .cy = 40};

Splats at(const std::vector<glm::dvec3>& means) {
    Splats splats;
    splats.means = means;
    splats.rotations.assign(means.size(), {1, 0, 0, 0});
    splats.logScales.assign(means.size(), glm::dvec3(-3, -2, -1));
    splats.logitOpacities.assign(means.size(), 1.5);
    splats.sh.assign(means.size(), glm::dvec3(0.5));
    return splats;
}

// At depth 2 the image is 4 wide, from -2 to 2; a margin of 15 % is another 0.6.
TEST(ReferenceFilter, AViewSamplesWhatItsFrustumHoldsWithAMargin) {
    EXPECT_DOUBLE_EQ(samplingRate({0, 0, 2}, kCamera), 25);
    EXPECT_DOUBLE_EQ(samplingRate({2.59, 0, 2}, kCamera), 25);
    EXPECT_EQ(samplingRate({2.61, 0, 2}, kCamera), 0);
    EXPECT_EQ(samplingRate({0, -2.61, 2}, kCamera), 0);
    EXPECT_EQ(samplingRate({0, 0, 0.009}, kCamera), 0);
    EXPECT_EQ(samplingRate({0, 0, -2}, kCamera), 0);
}

TEST(ReferenceFilter, TheDensestViewDecidesAndUnseenSplatsTakeTheWidest) {
    Camera nearer = kCamera;
    nearer.translation.z = -1;
    const Splats splats = at({{0, 0, 2}, {0, 0, 0.5}, {0, 0, -5}});
    const auto variances = filterVariances(splats, std::vector{kCamera, nearer});
    EXPECT_DOUBLE_EQ(variances[0], 0.2 / (50.0 * 50));
    EXPECT_DOUBLE_EQ(variances[1], 0.2 / (100.0 * 100));
    EXPECT_EQ(variances[2], variances[0]);
    EXPECT_EQ(filterVariances(at({{0, 0, -5}}), std::vector{kCamera})[0], 0);
}

// The integral of a splat over space is its opacity times the square root of its determinant.
TEST(ReferenceFilter, KeepsTheIntegralAndAddsTheVariance) {
    const Splats splats = at({{0, 0, 2}});
    const Splats wide = filtered(splats, std::vector{0.01});
    const auto integral = [](const Splats& s) {
        return 1 / (1 + std::exp(-s.logitOpacities[0])) * std::exp(s.logScales[0].x + s.logScales[0].y + s.logScales[0].z);
    };
    EXPECT_NEAR(integral(wide), integral(splats), 1e-14);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(std::exp(2 * wide.logScales[0][k]), std::exp(2 * splats.logScales[0][k]) + 0.01, 1e-14);
    EXPECT_EQ(filtered(splats, std::vector{0.0}).logScales, splats.logScales);
}

TEST(ReferenceFilter, BackwardIsTheDerivative) {
    const Splats splats = fromGaussians(makeMixedScene(20, 32, 24, 5).gaussians);
    Rng rng(4);
    Splats weights = zerosLike(splats);
    std::vector<double> variances;
    for (size_t i = 0; i < splats.count(); ++i) {
        weights.logitOpacities[i] = rng.normal();
        weights.logScales[i] = {rng.normal(), rng.normal(), rng.normal()};
        variances.push_back(i % 5 == 0 ? 0 : std::pow(10, rng.uniform(-5, 0)));
    }
    const Numbers weight = numbersOf(weights);
    const auto value = [&](const Numbers& numbers) {
        const Numbers result = numbersOf(filtered(splatsOf(numbers, splats), variances));
        double sum = 0;
        for (size_t c = 0; c < result.size(); ++c)
            for (size_t i = 0; i < result[c].size(); ++i) sum += result[c][i] * weight[c][i];
        return sum;
    };
    const Numbers gradient = numbersOf(filterBackward(splats, variances, weights));
    Numbers numbers = numbersOf(splats);
    for (const ParameterClass c : {ParameterClass::logScales, ParameterClass::logitOpacities}) {
        for (size_t i = 0; i < numbers[indexOf(c)].size(); ++i) {
            double& number = numbers[indexOf(c)][i];
            const double kept = number, step = 1e-5;
            number = kept + step;
            const double up = value(numbers);
            number = kept - step;
            const double down = value(numbers);
            number = kept;
            EXPECT_NEAR(gradient[indexOf(c)][i], (up - down) / (2 * step), 1e-7) << nameOf(c) << " " << i;
        }
    }
}

}  // namespace
}  // namespace splat::reference
