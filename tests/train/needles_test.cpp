// Thin splats seen from near, of thousands of pixels: their covariance on the image is all but singular.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/render/backward.h>
#include <splatwright/train/model/optimizer.h>
#include "reference/gradients.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/step_buffer.h"

namespace splat {
namespace {

const Camera kCamera{.width = 1024, .height = 768, .fx = 1000, .fy = 1000, .cx = 512, .cy = 384};

/// Needles of random directions in the middle of the picture: `length` pixels at a distance of 1, and up to two pixels thick.
Gaussians needles(double length, size_t count) {
    Rng rng(5);
    Gaussians g;
    g.resize(count, 0);
    for (size_t i = 0; i < count; ++i) {
        const double z = rng.uniform(0.5, 2);
        g.means[i] = glm::vec3(rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2), 1) * static_cast<float>(z);
        g.rotations[i] = glm::vec4(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        const auto logOf = [&](double pixels) { return static_cast<float>(std::log(pixels * z / kCamera.fx)); };
        g.logScales[i] = {logOf(length), logOf(rng.uniform(0.1, 2)), logOf(rng.uniform(0.1, 2))};
        g.logitOpacities[i] = 1;
        g.sh[i] = glm::vec3(1);
    }
    return g;
}

/// dL/dsplat of pixels strewn along the needle, as far as the picture goes, each of which asks for more or less of it.
shared::SplatGradient gradientOf(const reference::Projected& p, Rng& rng) {
    const double turn = 0.5 * std::atan2(-2 * p.conic.y, p.conic.z - p.conic.x);  // direction of the long axis
    shared::SplatGradient sum{};
    for (int k = 0; k < 50; ++k) {
        const double along = rng.uniform(-500, 500), across = rng.uniform(-1, 1);
        const glm::dvec2 d(along * std::cos(turn) - across * std::sin(turn), along * std::sin(turn) + across * std::cos(turn));
        const double weight = rng.uniform(-1, 1) * std::exp(-0.5 * (p.conic.x * d.x * d.x + p.conic.z * d.y * d.y) - p.conic.y * d.x * d.y);
        sum.conic += glm::vec3(glm::dvec3(-0.5 * d.x * d.x, -d.x * d.y, -0.5 * d.y * d.y) * weight);
        sum.opacity += static_cast<float>(weight);
    }
    return sum;
}

/// What the device makes of needles, and the double reference.
struct Projection {
    std::vector<shared::Projected> found;
    std::vector<uint32_t> tiles;
    std::vector<reference::Projected> expected;
    std::vector<glm::dvec3> foundScales, expectedScales;  ///< gradients
    std::vector<glm::dvec4> foundRotations, expectedRotations;
};

/// Gradients are read from Adam's first moments after one step, which are a tenth of them.
Projection project(double length, bool antialiased) {
    constexpr size_t kCount = 400;
    gpu::Device& device = testDevice();
    Gaussians gaussians = needles(length, kCount);
    gaussians.antialiased = antialiased;
    const reference::Settings settings{.antialiased = antialiased};
    const auto splats = reference::fromGaussians(gaussians);
    Projection p{.found = {},
                 .tiles = {},
                 .expected = reference::projectAll(splats, kCamera, settings),
                 .foundScales = {},
                 .expectedScales = {},
                 .foundRotations = {},
                 .expectedRotations = {}};
    Rng rng(9);
    std::vector<shared::SplatGradient> gradients;
    std::vector<reference::ProjectedGradient> inDouble;
    for (const reference::Projected& splat : p.expected) {
        gradients.push_back(gradientOf(splat, rng));
        inDouble.push_back({.mean = {}, .conic = gradients.back().conic, .opacity = gradients.back().opacity, .colour = {}});
    }
    const auto expected = reference::projectBackward(splats, kCamera, settings, inDouble).splats;
    p.expectedScales = expected.logScales;
    p.expectedRotations = expected.rotations;

    const GpuScene scene(device, gaussians, kCamera, glm::vec3(0));
    const Forward forward(device, testSort());
    gpu::Arena transient = scene.frame.transient();
    const BackwardBuffers backward(device, scene.frame.capacity, accumulationByName("subtile"), transient);
    const AdamMoments moments(device, scene.model.capacity);
    const gpu::Buffer densifyStatistics = device.buffer<shared::DensifyStatistics>("densification statistics", scene.model.capacity);
    const gpu::Buffer training = device.buffer<shared::TrainingState>("training", 1);
    const gpu::Buffer step =
        stepBuffer(device, {.frame = {.shDegree = static_cast<uint32_t>(gaussians.shDegree)}, .biasCorrection1 = 1, .biasCorrection2 = 1});
    device.run("project", [&](gpu::Commands& c) { forward.record(c, scene.model, scene.frame, scene.selection()); });
    p.found = device.download<shared::Projected>(scene.frame.projected, kCount);
    p.tiles = device.download<uint32_t>(scene.frame.tileCounts, kCount);
    device.upload(backward.gradients, gradients);
    device.upload(backward.updateCount, std::vector<uint32_t>{kCount});
    device.upload(backward.perUpdate, std::vector<shared::DispatchArguments>{{2, 1, 1}});
    const ViewSelection view = scene.selection();
    device.run("update", [&](gpu::Commands& c) {
        recordUpdate(c, {.model = scene.model,
                         .moments = moments,
                         .densifyStatistics = densifyStatistics,
                         .frame = scene.frame,
                         .gradients = backward,
                         .view = view,
                         .step = step,
                         .training = training});
    });
    for (const auto& m : device.download<shared::Moments3>(moments[Attribute::logScales], kCount))
        p.foundScales.push_back(glm::dvec3(m.m) * 10.0);
    for (const auto& m : device.download<shared::Moments4>(moments[Attribute::rotations], kCount))
        p.foundRotations.push_back(glm::dvec4(m.m) * 10.0);
    return p;
}

/// Errors relative to what is expected, ascending; NaN counts as infinite.
template <class Vector>
std::vector<double> errorsOf(const std::vector<Vector>& found, const std::vector<Vector>& expected) {
    std::vector<double> errors;
    for (size_t i = 0; i < found.size(); ++i) {
        const double error = glm::length(found[i] - expected[i]) / (glm::length(expected[i]) + 1e-9);
        errors.push_back(std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
    }
    std::ranges::sort(errors);
    return errors;
}

double quantile(const std::vector<double>& ascending, double part) {
    return ascending[static_cast<size_t>(part * static_cast<double>(ascending.size() - 1))];
}

struct NeedleCase {
    double length;    ///< pixels
    double gradient;  ///< tolerated median of the gradients' relative errors
};
void PrintTo(const NeedleCase& c, std::ostream* out) { *out << c.length; }

class Needles : public testing::TestWithParam<NeedleCase> {};

TEST_P(Needles, AreSeenAndProjectedAsInDoublePrecision) {
    for (const bool antialiased : {false, true}) {
        const Projection p = project(GetParam().length, antialiased);
        double worst = 0;
        size_t compared = 0;
        for (size_t i = 0; i < p.expected.size(); ++i) {
            const reference::Projected& e = p.expected[i];
            if (antialiased && e.opacity < 1.01 / 255) continue;  // it may be culled for its opacity
            ASSERT_TRUE(e.visible) << i;
            ASSERT_GT(p.tiles[i], 0u) << i;
            worst = std::max(worst, glm::length(glm::dvec3(p.found[i].conic) - e.conic) / glm::length(e.conic));
            EXPECT_NEAR(p.found[i].opacity, e.opacity, 1e-3 * e.opacity) << i;
            ++compared;
        }
        EXPECT_GT(compared, 300u);
        EXPECT_LT(worst, 1e-4);
    }
}

TEST_P(Needles, HaveTheGradientsOfDoublePrecision) {
    const Projection p = project(GetParam().length, false);
    const auto scales = errorsOf(p.foundScales, p.expectedScales);
    const auto rotations = errorsOf(p.foundRotations, p.expectedRotations);
    for (const auto* errors : {&scales, &rotations}) {
        EXPECT_LT(quantile(*errors, 0.5), GetParam().gradient);
        EXPECT_LT(quantile(*errors, 0.9), 20 * GetParam().gradient);
    }
}

INSTANTIATE_TEST_SUITE_P(Lengths, Needles,
                         testing::Values(NeedleCase{10, 5e-6}, NeedleCase{100, 2e-4}, NeedleCase{1000, 5e-3}, NeedleCase{4000, 1e-2},
                                         NeedleCase{30'000, 1e-2}),
                         [](const auto& test) { return std::to_string(static_cast<int>(test.param.length)); });

}  // namespace
}  // namespace splat
