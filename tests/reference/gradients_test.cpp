#include "reference/gradients.h"

#include <cmath>
#include <functional>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/scenes.h"

namespace splat::reference {
namespace {

/// The loss of these tests: a fixed random linear function of colour, transmittance, inverse depth and normal, so that its gradient is the weights.
struct Problem {
    Splats splats;
    Camera camera;
    Settings settings;
    PictureGradient weights;
};

double weighted(const Rendering& r, const PictureGradient& weights) {
    double sum = 0;
    for (size_t i = 0; i < r.colour.pixels.size(); ++i) sum += r.colour.pixels[i] * weights.colour.pixels[i];
    for (size_t i = 0; i < r.transmittance.pixels.size(); ++i) sum += r.transmittance.pixels[i] * weights.transmittance.pixels[i];
    for (size_t i = 0; i < r.inverseDepth.pixels.size(); ++i) sum += r.inverseDepth.pixels[i] * weights.inverseDepth.pixels[i];
    for (size_t i = 0; i < r.normal.pixels.size(); ++i) sum += r.normal.pixels[i] * weights.normal.pixels[i];
    return sum;
}

double loss(const Problem& p) { return weighted(render(p.splats, p.camera, p.settings), p.weights); }

struct Mode {
    const char* name;
    bool smoothCutoff = false;
    bool antialiased = false;
};
constexpr Mode kHard{"Hard", false, false};

/// Small enough for two renderings a parameter, with a wall of three opaque splats in the middle that stops the pixels.
/// Pixels near a threshold get no weight: there the loss has a jump or a kink. Antialiased splats are small, so that the filter bites.
Problem makeProblem(uint64_t seed, const Mode& mode) {
    const Scene scene = makeMixedScene(24, 32, 24, seed);
    Problem p{.splats = fromGaussians(scene.gaussians),
              .camera = scene.camera,
              .settings = {.background = {0.3, 0.6, 0.1},
                           .antialiased = mode.antialiased,
                           .smoothCutoff = mode.smoothCutoff,
                           .nearCutMargin = 1e-3},
              .weights = {{32, 24, 3}, {32, 24, 1}, {32, 24, 1}, {32, 24, 3}}};
    if (mode.antialiased) {
        for (glm::dvec3& scale : p.splats.logScales) scale -= 1;
    }
    for (const size_t i : {0u, 3u, 6u}) {
        const double depth = 2 + 0.3 * static_cast<double>(i);
        p.splats.means[i] = glm::transpose(p.camera.rotation) * (glm::dvec3(0.1, -0.1, depth) - p.camera.translation);
        p.splats.logScales[i] = glm::dvec3(-0.7, -0.5, -0.8);
        p.splats.logitOpacities[i] = 8;
    }
    Rng rng(seed + 100), depthRng(seed + 200), normalRng(seed + 300);
    const Rendering r = render(p.splats, p.camera, p.settings);
    for (size_t pixel = 0; pixel < r.nearCut.pixels.size(); ++pixel) {
        const double on = r.nearCut.pixels[pixel] ? 0 : 1;
        for (size_t k = 0; k < 3; ++k) p.weights.colour.pixels[3 * pixel + k] = on * rng.normal();
        p.weights.transmittance.pixels[pixel] = on * rng.normal();
        p.weights.inverseDepth.pixels[pixel] = on * depthRng.normal();
        for (size_t k = 0; k < 3; ++k) p.weights.normal.pixels[3 * pixel + k] = on * normalRng.normal();
    }
    return p;
}

double centralDifference(double& parameter, const std::function<double()>& value) {
    constexpr double kStep = 2e-6;  // here truncation and rounding weigh about the same
    const double kept = parameter;
    parameter = kept + kStep;
    const double up = value();
    parameter = kept - kStep;
    const double down = value();
    parameter = kept;
    return (up - down) / (2 * kStep);
}

/// |computed - expected| / |expected| over a whole parameter class.
double relativeError(const std::vector<double>& computed, const std::vector<double>& expected) {
    double difference = 0, size = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        difference += (computed[i] - expected[i]) * (computed[i] - expected[i]);
        size += expected[i] * expected[i];
    }
    return size > 0 ? std::sqrt(difference / size) : std::sqrt(difference);
}

using Pointers = std::vector<double*>;

template <class Vector>
Pointers components(std::vector<Vector>& vectors) {
    Pointers out;
    for (Vector& v : vectors)
        for (int k = 0; k < Vector::length(); ++k) out.push_back(&v[k]);
    return out;
}

Pointers shOfDegree(Splats& splats, int degree) {
    Pointers out;
    const size_t stride = shCoefficients(splats.shDegree), end = shCoefficients(degree);
    const size_t begin = degree > 0 ? shCoefficients(degree - 1) : 0;
    for (size_t i = 0; i < splats.count(); ++i)
        for (size_t k = begin; k < end; ++k)
            for (int c = 0; c < 3; ++c) out.push_back(&splats.sh[i * stride + k][c]);
    return out;
}

struct ParameterClass {
    const char* name;
    size_t stride;  ///< every how-manyth parameter is tried; coprime with 3, so that all channels come up
    std::function<Pointers(Splats&)> select;
};

const std::vector<ParameterClass> kClasses{
    {"means", 1, [](Splats& s) { return components(s.means); }},
    {"rotations", 1, [](Splats& s) { return components(s.rotations); }},
    {"logScales", 1, [](Splats& s) { return components(s.logScales); }},
    {"logitOpacities", 1,
     [](Splats& s) {
         Pointers out;
         for (double& value : s.logitOpacities) out.push_back(&value);
         return out;
     }},
    {"shDegree0", 1, [](Splats& s) { return shOfDegree(s, 0); }},
    {"shDegree1", 2, [](Splats& s) { return shOfDegree(s, 1); }},
    {"shDegree2", 5, [](Splats& s) { return shOfDegree(s, 2); }},
    {"shDegree3", 7, [](Splats& s) { return shOfDegree(s, 3); }},
};

// Central differences are good to about 1e-7 here; 1e-6 leaves room for another compiler's rounding.
constexpr double kTolerance = 1e-6;

class ReferenceGradients : public testing::TestWithParam<Mode> {};

TEST_P(ReferenceGradients, OfEveryParameterClassAgreeWithFiniteDifferences) {
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        Problem p = makeProblem(seed, GetParam());
        Gradients gradients = backward(p.splats, p.camera, p.settings, p.weights);
        for (const ParameterClass& c : kClasses) {
            std::vector<double> computed, expected;
            const Pointers derivatives = c.select(gradients.splats), parameters = c.select(p.splats);
            for (size_t i = 0; i < parameters.size(); i += c.stride) {
                computed.push_back(*derivatives[i]);
                expected.push_back(centralDifference(*parameters[i], [&] { return loss(p); }));
            }
            EXPECT_LE(relativeError(computed, expected), kTolerance) << c.name << ", seed " << seed;
        }
    }
}

TEST_P(ReferenceGradients, OfTheBackgroundAgreeWithFiniteDifferences) {
    Problem p = makeProblem(1, GetParam());
    const Gradients gradients = backward(p.splats, p.camera, p.settings, p.weights);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(gradients.background[k], centralDifference(p.settings.background[k], [&] { return loss(p); }), 5e-7);
}

TEST_P(ReferenceGradients, OfTheCameraAgreeWithFiniteDifferences) {
    Problem p = makeProblem(1, GetParam());
    const CameraGradient gradient = backward(p.splats, p.camera, p.settings, p.weights).camera;
    const Camera camera = p.camera;
    glm::dvec3 turn(0), shift(0);
    const auto value = [&] {
        const glm::dmat3 r = rotationMatrix(glm::normalize(glm::dvec4(1, 0.5 * turn)));
        p.camera.rotation = r * camera.rotation;
        p.camera.translation = r * camera.translation + shift;
        return loss(p);
    };
    std::vector<double> computed, expected;
    for (int k = 0; k < 3; ++k) {
        computed.insert(computed.end(), {gradient.rotation[k], gradient.translation[k]});
        expected.push_back(centralDifference(turn[k], value));
        expected.push_back(centralDifference(shift[k], value));
    }
    EXPECT_LE(relativeError(computed, expected), kTolerance);
}

TEST_P(ReferenceGradients, OfTheProjectedSplatsAgreeWithFiniteDifferences) {
    const Problem p = makeProblem(1, GetParam());
    std::vector<Projected> projected = projectAll(p.splats, p.camera, p.settings);
    const auto gradients = blendBackward(projected, p.settings, p.weights).projected;
    const auto value = [&] { return weighted(blend(projected, 32, 24, p.settings), p.weights); };
    const auto check = [&](const char* name, auto select) {
        std::vector<double> computed, expected;
        for (size_t i = 0; i < projected.size(); ++i) {
            if (!projected[i].visible) continue;
            const auto [parameters, derivatives, count] = select(projected[i], gradients[i]);
            for (int k = 0; k < count; ++k) {
                computed.push_back(derivatives[k]);
                expected.push_back(centralDifference(parameters[k], value));
            }
        }
        EXPECT_LE(relativeError(computed, expected), kTolerance) << name;
    };
    check("mean", [](Projected& s, const ProjectedGradient& g) { return std::tuple(&s.mean.x, &g.mean.x, 2); });
    check("conic", [](Projected& s, const ProjectedGradient& g) { return std::tuple(&s.conic.x, &g.conic.x, 3); });
    check("opacity", [](Projected& s, const ProjectedGradient& g) { return std::tuple(&s.opacity, &g.opacity, 1); });
    check("colour", [](Projected& s, const ProjectedGradient& g) { return std::tuple(&s.colour.x, &g.colour.x, 3); });
}

INSTANTIATE_TEST_SUITE_P(Modes, ReferenceGradients,
                         testing::Values(kHard, Mode{"Smooth", true, false}, Mode{"HardAntialiased", false, true},
                                         Mode{"SmoothAntialiased", true, true}),
                         [](const auto& suite) { return suite.param.name; });

// The gradients above prove something only if their scene has what is hard: every clamp, cut and stop in force somewhere.
TEST(ReferenceGradientScenes, ReachEveryClampOfTheProjection) {
    size_t ratios = 0, colours = 0, culled = 0;
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        const Problem p = makeProblem(seed, kHard);
        for (size_t i = 0; i < p.splats.count(); ++i) {
            const Projected s = project(p.splats, i, p.camera, p.settings);
            culled += !s.visible;
            if (!s.visible) continue;
            const ViewRatio ratio = clampedRatio(p.camera.rotation * p.splats.means[i] + p.camera.translation, p.camera);
            ratios += ratio.clamped.x || ratio.clamped.y;
            colours += glm::any(glm::equal(s.colour, glm::dvec3(0)));
        }
    }
    EXPECT_GT(ratios, 2u);
    EXPECT_GT(colours, 2u);
    EXPECT_GT(culled, 1u);
}

TEST(ReferenceGradientScenes, ReachEveryThresholdOfTheBlend) {
    const Problem p = makeProblem(1, kHard);
    const auto projected = projectAll(p.splats, p.camera, p.settings);
    const auto order = depthOrder(projected);
    size_t clamped = 0, cut = 0, stopped = 0, flagged = 0;
    for (int y = 0; y < p.camera.height; ++y)
        for (int x = 0; x < p.camera.width; ++x) {
            const PixelTrace hard = tracePixel(projected, order, {x + 0.5, y + 0.5}, p.settings);
            const PixelTrace smooth = tracePixel(projected, order, {x + 0.5, y + 0.5}, {.smoothCutoff = true});
            for (const Contribution& c : hard.contributions) clamped += c.alpha.slope == 0;
            cut += smooth.contributions.size() < order.size();
            stopped += smooth.contributions.size() > hard.contributions.size();
            flagged += hard.nearCut;
        }
    EXPECT_GT(clamped, 2u);
    EXPECT_GT(cut, 100u);
    EXPECT_GT(stopped, 10u);
    EXPECT_LT(flagged, 32u * 24 / 10) << "too few pixels are left to test";
}

TEST(ReferenceGradientRules, InactiveCoefficientsAndCulledSplatsGetZero) {
    Problem p = makeProblem(1, kHard);
    p.settings.shDegree = 1;
    p.splats.logitOpacities[0] = -10;
    Gradients gradients = backward(p.splats, p.camera, p.settings, p.weights);
    for (int degree = 2; degree <= 3; ++degree)
        for (const double* value : shOfDegree(gradients.splats, degree)) EXPECT_EQ(*value, 0);
    EXPECT_EQ(gradients.splats.means[0], glm::dvec3(0));
    EXPECT_EQ(gradients.splats.rotations[0], glm::dvec4(0));
    EXPECT_EQ(gradients.splats.logitOpacities[0], 0);
}

TEST(ReferenceGradientRules, QuaternionGradientIsOrthogonalToTheQuaternion) {
    const Problem p = makeProblem(1, kHard);
    const Gradients gradients = backward(p.splats, p.camera, p.settings, p.weights);
    for (size_t i = 0; i < p.splats.count(); ++i) {
        const glm::dvec4 gradient = gradients.splats.rotations[i];
        EXPECT_NEAR(glm::dot(p.splats.rotations[i], gradient), 0, 1e-9 * (1 + glm::length(gradient)));
    }
}

}  // namespace
}  // namespace splat::reference
