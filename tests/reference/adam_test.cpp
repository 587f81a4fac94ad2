#include "reference/adam.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace splat::reference {
namespace {

TEST(ReferenceAdam, FirstStepIsTheLearningRateAgainstTheSign) {
    std::array<double, 4> parameters{1, 2, 3, 4};
    const std::array<double, 4> gradients{1e-6, -50, 0.3, 0};
    AdamMoments moments(4);
    adamStep(parameters, gradients, moments, 1, {.learningRate = 0.01});
    EXPECT_NEAR(parameters[0], 0.99, 1e-10);
    EXPECT_NEAR(parameters[1], 2.01, 1e-10);
    EXPECT_NEAR(parameters[2], 2.99, 1e-10);
    EXPECT_EQ(parameters[3], 4) << "no gradient, no move";
}

// m = 0.9 * 0.1 + 0.1 * (-2) = -0.11 and v = 0.999 * 0.001 + 0.001 * 4 = 0.004999; corrections 0.19 and 0.001999.
TEST(ReferenceAdam, SecondStepAgreesWithAHandExample) {
    std::array<double, 1> parameter{0};
    AdamMoments moments(1);
    adamStep(parameter, std::array<double, 1>{1}, moments, 1, {.learningRate = 0.1});
    adamStep(parameter, std::array<double, 1>{-2}, moments, 2, {.learningRate = 0.1});
    EXPECT_NEAR(parameter[0], -0.1 + 0.1 * (0.11 / 0.19) / std::sqrt(0.004999 / 0.001999), 1e-12);
    EXPECT_NEAR(moments.first[0], -0.11, 1e-15);
    EXPECT_NEAR(moments.second[0], 0.004999, 1e-15);
}

TEST(ReferenceAdam, WalksToTheMinimumOfAParabola) {
    std::array<double, 1> parameter{3};
    AdamMoments moments(1);
    for (int64_t step = 1; step <= 2000; ++step)
        adamStep(parameter, std::array<double, 1>{2 * (parameter[0] - 1)}, moments, step, {.learningRate = 0.01});
    EXPECT_NEAR(parameter[0], 1, 1e-3);
}

}  // namespace
}  // namespace splat::reference
