#include "reference/update.h"

#include <cmath>

#include <gtest/gtest.h>

#include "reference/project.h"
#include "reference/scenes.h"

namespace splat::reference {
namespace {

Splats someSplats(int shDegree = 3) { return fromGaussians(makeMixedScene(5, 32, 24, 2, shDegree).gaussians); }

TEST(ReferenceUpdate, NumbersAndSplatsAreInverse) {
    for (const int degree : {0, 1, 3}) {
        const Splats splats = someSplats(degree);
        const Numbers numbers = numbersOf(splats);
        EXPECT_EQ(numbers[indexOf(ParameterClass::rotations)].size(), 20u);
        EXPECT_EQ(numbers[indexOf(ParameterClass::sh0)].size(), 15u);
        EXPECT_EQ(numbers[indexOf(ParameterClass::shRest)].size(), 15 * (shCoefficients(degree) - 1));
        EXPECT_EQ(splatsOf(numbers, splats).sh, splats.sh);
        EXPECT_EQ(numbersOf(splatsOf(numbers, splats)), numbers);
    }
}

// Without a picture the first moment after one step is a tenth of the regularisers' gradient.
TEST(ReferenceUpdate, RegularisersAgreeWithFiniteDifferences) {
    constexpr double kStep = 1e-5;
    const Splats splats = someSplats();
    const UpdateRules rules{.opacityReg = 0.3, .scaleReg = 0.7};
    Splats moved = splats;
    Optimizer optimizer(splats);
    optimizer.update(moved, zerosLike(splats), rules, 1);
    const Numbers gradient = optimizer.first(), at = numbersOf(splats);
    for (const ParameterClass c : kParameterClasses) {
        for (size_t i = 0; i < at[indexOf(c)].size(); ++i) {
            Numbers more = at, less = at;
            more[indexOf(c)][i] += kStep;
            less[indexOf(c)][i] -= kStep;
            const double slope =
                (regularisation(splatsOf(more, splats), rules) - regularisation(splatsOf(less, splats), rules)) / (2 * kStep);
            EXPECT_NEAR(10 * gradient[indexOf(c)][i], slope, 1e-9) << nameOf(c) << " " << i;
        }
    }
    EXPECT_EQ(numbersOf(moved), at) << "rates of 0";
}

// Axes of 1, 2 and 3 in a frame that is turned by a quarter about z: x is as wide as the second axis.
TEST(ReferenceUpdate, NoiseIsTheCovarianceTimesNormalNumbersUnlessASplatIsOpaque) {
    Splats splats = someSplats();
    splats.rotations[0] = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
    splats.logScales[0] = {0, std::log(2.0), std::log(3.0)};
    splats.logitOpacities[0] = std::log(0.005 / 0.995);  // where the gate is half open
    splats.logitOpacities[1] = 4;
    Splats moved = splats;
    Optimizer(splats).update(moved, zerosLike(splats), {.lrNoise = 0.5, .noiseSeed = 9}, 1);
    const glm::dvec3 noise = normalNumbers(9, 0, 1);
    EXPECT_LT(glm::distance(moved.means[0] - splats.means[0], 0.25 * glm::dvec3(4, 1, 9) * noise), 1e-12);
    EXPECT_LT(glm::distance(moved.means[1], splats.means[1]), 1e-30);
}

}  // namespace
}  // namespace splat::reference
