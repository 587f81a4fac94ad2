#include "reference/poses.h"

#include <functional>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/scenes.h"

namespace splat::reference {
namespace {

double difference(double& parameter, const std::function<double()>& value) {
    constexpr double kStep = 2e-6;
    const double kept = parameter;
    parameter = kept + kStep;
    const double up = value();
    parameter = kept - kStep;
    const double down = value();
    parameter = kept;
    return (up - down) / (2 * kStep);
}

TEST(ReferencePoses, TurningComesBeforeShifting) {
    const Camera start{.translation = {1, 0, 0}};
    const Camera camera = moved(start, {.translation = {0, 0, 3}, .rotation = {0, 0, glm::radians(90.0)}});
    EXPECT_NEAR(glm::distance(camera.translation, {0, 1, 3}), 0, 1e-15);
    EXPECT_NEAR(glm::distance(camera.rotation * glm::dvec3(1, 0, 0), {0, 1, 0}), 0, 1e-15);
}

class PoseOffsetGradients : public testing::TestWithParam<PoseOffset> {};

TEST_P(PoseOffsetGradients, AgreeWithFiniteDifferences) {
    const Scene scene = makeMixedScene(24, 32, 24, 5);
    const Splats splats = fromGaussians(scene.gaussians);
    const Settings settings{.smoothCutoff = true};
    PoseOffset offset = GetParam();
    PictureGradient weights{.colour = {32, 24, 3}, .transmittance = {}};
    Rng rng(7);
    for (double& weight : weights.colour.pixels) weight = rng.normal();
    const auto loss = [&] {
        const Rendering r = render(splats, moved(scene.camera, offset), settings);
        double sum = 0;
        for (size_t i = 0; i < r.colour.pixels.size(); ++i) sum += r.colour.pixels[i] * weights.colour.pixels[i];
        return sum;
    };
    const PoseOffset computed = poseOffsetGradient(offset, backward(splats, moved(scene.camera, offset), settings, weights).camera);
    const double size = glm::length(computed.translation) + glm::length(computed.rotation);
    ASSERT_GT(size, 1) << "nothing is in view";
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(computed.translation[k], difference(offset.translation[k], loss), 1e-6 * size) << k;
        EXPECT_NEAR(computed.rotation[k], difference(offset.rotation[k], loss), 1e-6 * size) << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PoseOffsetGradients,
                         testing::Values(PoseOffset{}, PoseOffset{{0.02, -0.01, 0.03}, {1e-4, 2e-4, -1e-4}},
                                         PoseOffset{{-0.1, 0.2, 0.1}, {0.05, -0.1, 0.3}}));

}  // namespace
}  // namespace splat::reference
