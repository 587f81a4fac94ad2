// Gradients of the whole path, from the picture back to every parameter, through each accumulation strategy and the fused update. The fused
// kernel keeps no gradients, but Adam's first moment after one step from zero is (1 - beta1) times the gradient: the tests read it there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/render/backward.h>
#include <splatwright/train/model/optimizer.h>
#include "reference/adam.h"
#include "reference/filter.h"
#include "reference/gradients.h"
#include "reference/render.h"
#include "reference/scenes.h"
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/packed_moments.h"
#include "train/step_buffer.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

constexpr double kBeta1 = 0.9;
const glm::vec3 kBackground{0.3f, 0.1f, 0.5f};

/// dL/dcolour: random, and zero where a threshold decides, since there single precision may see another contributor.
std::vector<glm::vec3> pictureGradient(const reference::Rendering& picture) {
    Rng rng(11);
    std::vector<glm::vec3> gradient(picture.nearCut.pixels.size());
    for (size_t p = 0; p < gradient.size(); ++p) {
        const glm::vec3 random(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        gradient[p] = picture.nearCut.pixels[p] ? glm::vec3(0) : random;
    }
    return gradient;
}

/// A value that blending carries, and dL by it, numbersOf() per pixel.
struct CarriedGradient {
    CarriedValue value = CarriedValue::nothing;
    std::vector<float> ofPixels = {};
};

/// Random, as for the colours.
CarriedGradient carriedGradient(const reference::Rendering& picture, CarriedValue value) {
    Rng rng(12);
    CarriedGradient gradient{.value = value};
    for (const uint8_t near : picture.nearCut.pixels)
        for (uint32_t k = 0; k < numbersOf(value); ++k) gradient.ofPixels.push_back(near ? 0.0f : static_cast<float>(rng.uniform(-3, 3)));
    return gradient;
}

/// The reference's picture of each carried value.
constexpr std::pair<CarriedValue, Image<double> reference::PictureGradient::*> kCarriedPictures[] = {
    {CarriedValue::inverseDepth, &reference::PictureGradient::inverseDepth}, {CarriedValue::normal, &reference::PictureGradient::normal}};

/// Gradients of each parameter class as plain numbers.
struct Classes {
    std::vector<double> means, rotations, logScales, logitOpacities, sh0, shRest;
};

constexpr std::pair<const char*, std::vector<double> Classes::*> kClassNames[] = {{"means", &Classes::means},
                                                                                  {"rotations", &Classes::rotations},
                                                                                  {"log scales", &Classes::logScales},
                                                                                  {"opacities", &Classes::logitOpacities},
                                                                                  {"sh0", &Classes::sh0},
                                                                                  {"sh rest", &Classes::shRest}};

template <class Vector>
void append(std::vector<double>& to, const Vector& v) {
    for (glm::length_t k = 0; k < v.length(); ++k) to.push_back(v[k]);
}

/// Variances of 3D filters about as large as the splats, and 0 for some; empty: the model has none.
using Filters = std::vector<float>;

Filters filtersFor(const Gaussians& gaussians) {
    Rng rng(5);
    Filters variances;
    for (const glm::vec3& logScale : gaussians.logScales)
        variances.push_back(rng.uniform() < 0.2 ? 0.0f : std::exp(2 * logScale.x + static_cast<float>(rng.uniform(-3, 1))));
    return variances;
}

reference::Splats drawn(const reference::Splats& splats, const Filters& filters) {
    return filters.empty() ? splats : reference::filtered(splats, std::vector<double>(filters.begin(), filters.end()));
}

reference::Splats derivatives(const reference::Splats& splats, const Filters& filters, const reference::Splats& byDrawn) {
    return filters.empty() ? byDrawn : reference::filterBackward(splats, std::vector<double>(filters.begin(), filters.end()), byDrawn);
}

Classes referenceGradients(const reference::Scene& scene, const reference::Rendering& picture, const std::vector<glm::vec3>& gradient,
                           const Filters& filters = {}, const CarriedGradient& carried = {}, double opaqueBelow = 0) {
    reference::PictureGradient asImage{.colour = Image<double>(picture.colour.width, picture.colour.height, 3), .transmittance = {}};
    for (const auto& [value, image] : kCarriedPictures) {
        if (value != carried.value) continue;
        asImage.*image = Image<double>(picture.colour.width, picture.colour.height, static_cast<int>(numbersOf(value)));
        (asImage.*image).pixels.assign(carried.ofPixels.begin(), carried.ofPixels.end());
    }
    for (size_t p = 0; p < gradient.size(); ++p) {
        for (size_t k = 0; k < 3; ++k) asImage.colour.pixels[3 * p + k] = gradient[p][static_cast<glm::length_t>(k)];
    }
    const reference::Settings settings{.background = kBackground, .opaqueBelow = opaqueBelow, .antialiased = scene.gaussians.antialiased};
    const reference::Splats splats = reference::fromGaussians(scene.gaussians);
    const auto g = derivatives(splats, filters, reference::backward(drawn(splats, filters), scene.camera, settings, asImage).splats);
    Classes c;
    const size_t coefficients = shCoefficients(g.shDegree);
    for (size_t i = 0; i < g.count(); ++i) {
        append(c.means, g.means[i]);
        append(c.rotations, g.rotations[i]);
        append(c.logScales, g.logScales[i]);
        c.logitOpacities.push_back(g.logitOpacities[i]);
        append(c.sh0, g.sh[i * coefficients]);
        for (size_t k = 1; k < coefficients; ++k) append(c.shRest, g.sh[i * coefficients + k]);
    }
    return c;
}

template <class Moments>
std::vector<double> fromMoments(gpu::Device& device, gpu::BufferSlice moments, size_t count) {
    std::vector<double> values;
    for (const Moments& m : device.download<Moments>(moments, count)) {
        if constexpr (std::is_same_v<Moments, shared::Moments1>) {
            values.push_back(m.m / (1 - kBeta1));
        } else if constexpr (std::is_same_v<Moments, shared::PackedMoments3>) {
            for (glm::length_t k = 0; k < 3; ++k) values.push_back(unpackMoments(m.words[k]).first / (1 - kBeta1));
        } else {
            for (glm::length_t k = 0; k < m.m.length(); ++k) values.push_back(m.m[k] / (1 - kBeta1));
        }
    }
    return values;
}

/// The SH moments lie in planes of coefficients; the reference lists a splat's coefficients together.
std::vector<double> restFromMoments(gpu::Device& device, const PlanarBuffer& moments, size_t count, int degree) {
    std::vector<std::vector<double>> planes;
    for (uint32_t k = 0; k + 1 < shCoefficients(degree); ++k)
        planes.push_back(fromMoments<shared::PackedMoments3>(device, moments.slice(k, 0, count), count));
    std::vector<double> values;
    for (size_t i = 0; i < 3 * count; i += 3)
        for (const std::vector<double>& plane : planes)
            for (size_t channel = 0; channel < 3; ++channel) values.push_back(plane[i + channel]);
    return values;
}

Classes gpuGradients(gpu::Device& device, const primitives::RadixSort& sort, const AccumulationRow& row, const reference::Scene& scene,
                     const std::vector<glm::vec3>& gradient, bool clampGradients = false, const Filters& filters = {},
                     const CarriedGradient& carried = {}, float opaqueBelow = 0) {
    GpuScene gpuScene(device, scene.gaussians, scene.camera, kBackground);
    gpuScene.model.filter3d(device, !filters.empty());
    if (!filters.empty()) device.upload(gpuScene.model.filterVariances, filters);
    const Forward forward(device, sort);
    gpu::Arena transient = gpuScene.frame.transient();
    const BackwardBuffers backward(device, gpuScene.frame.capacity, row, transient);
    const AdamMoments moments(device, gpuScene.model.capacity);
    const gpu::Buffer colourGradients = device.buffer<glm::vec3>("colour gradients", gradient.size());
    device.upload(colourGradients, gradient);
    const gpu::Buffer carriedGradients = device.buffer<float>("carried gradients", std::max<size_t>(carried.ofPixels.size(), 1));
    if (!carried.ofPixels.empty()) device.upload(carriedGradients, carried.ofPixels);
    const gpu::Buffer densifyStatistics = device.buffer<shared::DensifyStatistics>("densification statistics", gpuScene.model.capacity);
    const gpu::Buffer training = device.buffer<shared::TrainingState>("training", 1);
    device.upload(training, std::vector{shared::TrainingState{}});  // packed moments are rounded by its random numbers
    const gpu::Buffer step = stepBuffer(
        device, {.frame = {.shDegree = static_cast<uint32_t>(scene.gaussians.shDegree)}, .biasCorrection1 = 1, .biasCorrection2 = 1});
    ViewSelection view = gpuScene.selection();
    view.carried = carried.value;
    view.opaqueBelow = opaqueBelow;
    device.run("step", [&](gpu::Commands& c) {
        forward.record(c, gpuScene.model, gpuScene.frame, view);
        recordBackward(device, c, row,
                       {.model = gpuScene.model,
                        .frame = gpuScene.frame,
                        .buffers = backward,
                        .view = view,
                        .colourGradients = colourGradients,
                        .clampGradients = clampGradients,
                        .carriedGradients = carriedGradients});
        recordUpdate(c, {.model = gpuScene.model,
                         .moments = moments,
                         .densifyStatistics = densifyStatistics,
                         .frame = gpuScene.frame,
                         .gradients = backward,
                         .view = view,
                         .step = step,
                         .training = training});
    });
    const size_t n = scene.gaussians.count();
    return {fromMoments<shared::Moments3>(device, moments[Attribute::means], n),
            fromMoments<shared::Moments4>(device, moments[Attribute::rotations], n),
            fromMoments<shared::Moments3>(device, moments[Attribute::logScales], n),
            fromMoments<shared::Moments1>(device, moments[Attribute::logitOpacities], n),
            fromMoments<shared::Moments3>(device, moments[Attribute::sh0], n),
            restFromMoments(device, moments[Attribute::shRest], n, scene.gaussians.shDegree)};
}

double relativeError(const std::vector<double>& found, const std::vector<double>& expected) {
    double difference = 0;
    double norm = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        difference += (found[i] - expected[i]) * (found[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

void expectClose(const Classes& found, const Classes& expected, double tolerance, const std::string& where) {
    for (const auto& [name, member] : kClassNames) {
        ASSERT_EQ((found.*member).size(), (expected.*member).size()) << name;
        const double error = relativeError(found.*member, expected.*member);
        EXPECT_LE(error, member == &Classes::shRest ? std::max(tolerance, kPackedTolerance) : tolerance) << where << ": " << name;
    }
}

class Accumulation : public testing::TestWithParam<std::string> {};

TEST_P(Accumulation, AgreesWithTheDoubleReferenceInEveryParameter) {
    const AccumulationRow& row = accumulationByName(GetParam());
    for (const std::string& name : reference::sceneNames()) {
        const reference::Scene scene = reference::makeScene(name, 3);
        const auto picture = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {.background = kBackground});
        const auto gradient = pictureGradient(picture);
        expectClose(gpuGradients(testDevice(), testSort(), row, scene, gradient), referenceGradients(scene, picture, gradient), 1e-4, name);
    }
}

TEST_P(Accumulation, AntialiasedAgreesWithTheDoubleReferenceInEveryParameter) {
    const AccumulationRow& row = accumulationByName(GetParam());
    for (const std::string& name : reference::sceneNames()) {
        reference::Scene scene = reference::makeScene(name, 3);
        for (glm::vec3& scale : scene.gaussians.logScales) scale -= 1.1f;  // so that the 2D filter bites
        scene.gaussians.antialiased = true;
        const reference::Settings settings{.background = kBackground, .antialiased = true};
        const auto picture = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, settings);
        const auto gradient = pictureGradient(picture);
        expectClose(gpuGradients(testDevice(), testSort(), row, scene, gradient), referenceGradients(scene, picture, gradient), 1e-4, name);
    }
}

TEST_P(Accumulation, OfPixelsThatStopEarlyAgreesWithTheDoubleReferenceInEveryParameter) {
    constexpr float kOpaqueBelow = 0.3f;
    const AccumulationRow& row = accumulationByName(GetParam());
    const reference::Scene scene = reference::makeMixedScene(60, 48, 32, 3);
    const reference::Settings settings{.background = kBackground, .opaqueBelow = kOpaqueBelow};
    const auto picture = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, settings);
    const auto gradient = pictureGradient(picture);
    expectClose(gpuGradients(testDevice(), testSort(), row, scene, gradient, false, {}, {}, kOpaqueBelow),
                referenceGradients(scene, picture, gradient, {}, {}, kOpaqueBelow), 1e-4, "mixed");
}

TEST_P(Accumulation, WithThe3dFilterAgreesWithTheDoubleReferenceInEveryParameter) {
    const AccumulationRow& row = accumulationByName(GetParam());
    for (const bool antialiased : {false, true}) {
        for (const std::string& name : reference::sceneNames()) {
            reference::Scene scene = reference::makeScene(name, 3);
            scene.gaussians.antialiased = antialiased;
            const Filters filters = filtersFor(scene.gaussians);
            const reference::Splats splats = drawn(reference::fromGaussians(scene.gaussians), filters);
            const auto picture = reference::render(splats, scene.camera, {.background = kBackground, .antialiased = antialiased});
            const auto gradient = pictureGradient(picture);
            expectClose(gpuGradients(testDevice(), testSort(), row, scene, gradient, false, filters),
                        referenceGradients(scene, picture, gradient, filters), 1e-4, name);
        }
    }
}

class CarriedValues : public testing::TestWithParam<std::string> {};

TEST_P(CarriedValues, AgreeWithTheDoubleReferenceInEveryParameter) {
    const AccumulationRow& row = accumulationByName(GetParam());
    for (const std::string& name : reference::sceneNames()) {
        const reference::Scene scene = reference::makeScene(name, 3);
        const auto picture = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {.background = kBackground});
        const auto gradient = pictureGradient(picture);
        for (const auto& [value, image] : kCarriedPictures) {
            const CarriedGradient carried = carriedGradient(picture, value);
            expectClose(gpuGradients(testDevice(), testSort(), row, scene, gradient, false, {}, carried),
                        referenceGradients(scene, picture, gradient, {}, carried), 1e-4,
                        fmt::format("{}, value {}", name, static_cast<uint32_t>(value)));
        }
    }
}

std::vector<std::string> carryingRows() {
    std::vector<std::string> names = accumulationNames();
    std::erase_if(names, [](const std::string& name) { return !accumulationByName(name).carries; });
    return names;
}
INSTANTIATE_TEST_SUITE_P(AllRows, CarriedValues, testing::ValuesIn(carryingRows()), accumulationTestName);

void expectEveryRowAgrees(const gpu::DeviceOptions& options, const std::string& which) {
    const reference::Scene scene = reference::makeMixedScene(100, 37, 21, 5);
    const auto picture = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {.background = kBackground});
    const auto gradient = pictureGradient(picture);
    const std::vector<glm::vec3> none(gradient.size(), glm::vec3(0));
    const Classes byColours = referenceGradients(scene, picture, gradient);
    gpu::Device device(options);
    const primitives::RadixSort sort(device);
    for (const AccumulationRow* row : accumulationTable()) {
        const std::string where = fmt::format("{} {}", row->name, which);
        expectClose(gpuGradients(device, sort, *row, scene, gradient), byColours, 1e-4, where);
        for (const auto& [value, image] : kCarriedPictures) {
            if (!row->carries) continue;
            const CarriedGradient carried = carriedGradient(picture, value);
            expectClose(gpuGradients(device, sort, *row, scene, none, false, {}, carried),
                        referenceGradients(scene, picture, none, {}, carried), 1e-4,
                        fmt::format("{}, value {}", where, static_cast<uint32_t>(value)));
        }
    }
    EXPECT_EQ(device.validationMessages(), 0u);
}

/// What is switched off.
class GradientsWithoutFeature : public testing::TestWithParam<std::string> {};

TEST_P(GradientsWithoutFeature, EveryRowAgreesWithTheDoubleReference) {
    expectEveryRowAgrees(testDeviceOptions({GetParam()}), "without " + GetParam());
}

TEST(SmallKernels, OfEveryRowAgreeWithTheDoubleReference) { expectEveryRowAgrees(optionsOfLittleMemory(), "in little memory"); }

INSTANTIATE_TEST_SUITE_P(Features, GradientsWithoutFeature, testing::ValuesIn(featuresOrAll()), accumulationTestName);

class DeterministicAccumulation : public testing::TestWithParam<std::string> {};

TEST_P(DeterministicAccumulation, IsBitIdentical) {
    const AccumulationRow& row = accumulationByName(GetParam());
    const reference::Scene scene = reference::makeScene("crowdedTile", 9);
    const std::vector<glm::vec3> gradient(static_cast<size_t>(scene.camera.width * scene.camera.height), glm::vec3(0.3f, -0.2f, 0.7f));
    const Classes first = gpuGradients(testDevice(), testSort(), row, scene, gradient);
    const Classes second = gpuGradients(testDevice(), testSort(), row, scene, gradient);
    for (const auto& [name, member] : kClassNames) EXPECT_TRUE(first.*member == second.*member) << name;
}

std::vector<std::string> deterministicRows() {
    std::vector<std::string> names = accumulationNames();
    std::erase_if(names, [](const std::string& name) { return !accumulationByName(name).deterministic; });
    return names;
}
INSTANTIATE_TEST_SUITE_P(AllRows, DeterministicAccumulation, testing::ValuesIn(deterministicRows()), accumulationTestName);
INSTANTIATE_TEST_SUITE_P(AllRows, Accumulation, testing::ValuesIn(accumulationNames()), accumulationTestName);

TEST(Accumulation, TheClampLimitsEachPixelsGradient) {
    const reference::Scene scene = reference::makeScene("opaque", 3);
    const std::vector<glm::vec3> gradient(static_cast<size_t>(scene.camera.width * scene.camera.height), glm::vec3(1e4f));
    const AccumulationRow& row = accumulationByName("tree-cas");
    const Classes free = gpuGradients(testDevice(), testSort(), row, scene, gradient);
    const Classes clamped = gpuGradients(testDevice(), testSort(), row, scene, gradient, true);
    const double pixels = static_cast<double>(gradient.size());
    double largest = 0;
    for (const double g : clamped.sh0) largest = std::max(largest, std::abs(g));
    EXPECT_LE(largest, 10 * pixels);
    EXPECT_LT(largest, *std::max_element(free.sh0.begin(), free.sh0.end()));
}

TEST(Accumulation, WithoutBucketsForAllSplatsAStepIsHaltedAndSaysWhatItNeeds) {
    const reference::Scene scene = reference::makeScene("crowdedTile", 9);
    const AccumulationRow& row = accumulationByName("bucket");
    GpuScene gpuScene(testDevice(), scene.gaussians, scene.camera, kBackground, 1u << 16u, 1);
    const Forward forward(testDevice(), testSort());
    gpu::Arena transient = gpuScene.frame.transient();
    const BackwardBuffers backward(testDevice(), gpuScene.frame.capacity, row, transient);
    const gpu::Buffer gradient = testDevice().buffer<glm::vec3>("colour gradients", gpuScene.frame.capacity.pixels());
    const ViewSelection view = gpuScene.selection();
    testDevice().run("step", [&](gpu::Commands& c) {
        c.fill(gradient, 0);
        forward.record(c, gpuScene.model, gpuScene.frame, view);
        recordBackward(testDevice(), c, row,
                       {.model = gpuScene.model, .frame = gpuScene.frame, .buffers = backward, .view = view, .colourGradients = gradient});
    });
    const auto state = testDevice().download<shared::FrameState>(gpuScene.frame.state, 1)[0];
    EXPECT_EQ(state.halted, 1u);
    EXPECT_GT(state.bucketsNeeded, 1u);
    EXPECT_EQ(testDevice().download<uint32_t>(backward.updateCount, 1)[0], 0u);
}

}  // namespace
}  // namespace splat
