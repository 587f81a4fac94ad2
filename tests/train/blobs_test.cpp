// Blobs of pictures against double precision: their splats and picture, and every parameter's gradient through each accumulation method and the
// update. The kernel keeps no gradients, but Adam's first moment after one step from zero is (1 - beta1) times the gradient.
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include <fmt/format.h>

#include <splatwright/core/rng.h>
#include <splatwright/render/backward.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/render/renderer.h>
#include <splatwright/train/evaluate/metrics.h>
#include "reference/adam.h"
#include "reference/blobs.h"
#include "reference/render.h"
#include "scene/blob_samples.h"
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/blob_steps.h"

namespace splat {
namespace {

using reference::BlobNumbers;

constexpr int kWidth = 72, kHeight = 56;  // tiles that the picture cuts
const glm::vec3 kBackground{0.3f, 0.1f, 0.5f};

/// What the tests hold for: every kind of blob, summed and blended.
struct Mode {
    const char* name;
    const char* kind;
    bool summed;
};
constexpr Mode kModes[] = {
    {"free, summed", "free", true}, {"free, in order", "free", false}, {"demo, summed", "demo", true}, {"demo, in order", "demo", false}};

/// Blobs of the demo have at most a hundredth of the picture's size; the image shows a corner of it.
constexpr glm::dvec2 kPicture{400, 320};

ModelKind kindOf(const Mode& mode) {
    return {.row = &modelKindByName(mode.kind), .size = kPicture, .summed = mode.summed, .dilation = 0.1f};
}

reference::BlobSettings settingsOf(const Mode& mode) {
    const bool demo = mode.kind == std::string_view("demo");
    return {
        .kind = demo ? reference::BlobKind::demo : reference::BlobKind::free, .picture = kPicture, .dilation = static_cast<double>(0.1f)};
}

/// Numbers that floats hold, so that both sides start from the same.
BlobNumbers randomBlob(Rng& rng, std::string_view kind) {
    const auto number = [&](double low, double high) { return static_cast<double>(static_cast<float>(rng.uniform(low, high))); };
    BlobNumbers b{};
    for (double& value : b) value = number(0.05, 0.95);
    for (size_t k = 0; k < 2; ++k) b[k] = number(0.02, 0.3);
    if (kind == "demo") return b;
    b[0] = number(-4, kWidth + 4);
    b[1] = number(-4, kHeight + 4);
    b[2] = number(-1, 1.5);
    b[3] = number(-1.5, 1.5);
    b[4] = number(-1, 1.5);
    for (size_t k = 5; k < 8; ++k) b[k] = number(-0.5, 1.5);
    b[8] = number(-4, 4);
    return b;
}

std::vector<BlobNumbers> randomBlobs(size_t count, std::string_view kind, uint64_t seed) {
    Rng rng(seed);
    std::vector<BlobNumbers> blobs;
    for (size_t i = 0; i < count; ++i) blobs.push_back(randomBlob(rng, kind));
    return blobs;
}

/// The picture at its own size.
Camera ownCamera() { return {.width = kWidth, .height = kHeight, .fx = 1, .fy = 1}; }

struct Expected {
    std::vector<reference::Projected> projected;
    reference::Settings settings;
    reference::Rendering picture;
};

Expected expectedOf(const std::vector<BlobNumbers>& blobs, const Mode& mode, reference::BlobSettings how, int width = kWidth,
                    int height = kHeight) {
    Expected e{.settings = {.background = kBackground, .summed = mode.summed}};
    for (const BlobNumbers& b : blobs) e.projected.push_back(projectBlob(b, how));
    e.picture = reference::blend(e.projected, width, height, e.settings);
    return e;
}

double largestError(const ImageF& found, const reference::Rendering& expected) {
    double largest = 0;
    for (size_t i = 0; i < found.pixels.size(); ++i) {
        if (expected.nearCut.pixels[i / 3] == 0) largest = std::max(largest, std::abs(double{found.pixels[i]} - expected.colour.pixels[i]));
    }
    return largest;
}

class BlobPicture : public testing::TestWithParam<size_t> {};

TEST_P(BlobPicture, AgreesWithTheDoubleReferenceAtAnySize) {
    Renderer renderer(testDevice(), testSort());
    for (const Mode& mode : kModes) {
        const auto blobs = randomBlobs(GetParam(), mode.kind, 3);
        GaussianModel model(testDevice(), static_cast<uint32_t>(blobs.size()));
        model.kind = kindOf(mode);
        model.upload(testDevice(), stored(blobs));
        for (const double zoom : {1.0, 0.5, 3.7}) {
            Camera camera = ownCamera();
            camera.fx = zoom;
            camera.fy = 1.3 * zoom;
            camera.cx = 2.5;
            camera.cy = -1.25;
            reference::BlobSettings how = settingsOf(mode);
            how.scale = {camera.fx, camera.fy};
            how.offset = {camera.cx, camera.cy};
            const Expected expected = expectedOf(blobs, mode, how);
            EXPECT_LE(largestError(renderer.render(model, camera, kBackground, 0), expected.picture), 2e-4)
                << mode.name << ", zoom " << zoom;
        }
    }
}

// Across the workgroup boundary.
INSTANTIATE_TEST_SUITE_P(Counts, BlobPicture, testing::Values(1, 255, 256, 257, 700), testing::PrintToStringParamName());

/// The mean of each square of pixels.
ImageF averaged(const ImageF& image, int factor) {
    ImageF small(image.width / factor, image.height / factor, 3);
    for (int y = 0; y < small.height * factor; ++y)
        for (int x = 0; x < small.width * factor; ++x)
            for (size_t k = 0; k < 3; ++k) small.at(x / factor, y / factor)[k] += image.at(x, y)[k] / static_cast<float>(factor * factor);
    return small;
}

// 49.6 and 44.8 dB; without the blur 33.6 and 32.9, with twice its variance 40.0 and 39.1.
TEST(BlobPictures, SmallerImagesAverageThePicture) {
    Renderer renderer(testDevice(), testSort());
    for (const auto& [summed, least] : {std::pair{true, 47.0}, {false, 43.0}}) {
        Blobs blobs = test::pictureLikeBlobs(20'000, summed);
        if (summed) std::ranges::fill(blobs.opacities, 0.2f);
        GaussianModel model(testDevice(), static_cast<uint32_t>(blobs.count()));
        model.kind = kindOf(blobs);
        model.upload(testDevice(), storedBlobs(blobs));
        const ImageF whole = averaged(renderer.render(model, pictureCamera({768, 512}, {768, 512}), kBackground, 0), 4);
        const ImageF found = renderer.render(model, pictureCamera({768, 512}, {192, 128}), kBackground, 0);
        EXPECT_GE(psnr(quantised(found), quantised(whole)), least) << "summed " << summed;
    }
}

/// dL/dcolour: random, and zero where a threshold decides.
std::vector<glm::vec3> pictureGradient(const reference::Rendering& picture) {
    Rng rng(11);
    std::vector<glm::vec3> gradient;
    for (const uint8_t near : picture.nearCut.pixels) {
        const glm::vec3 random(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        gradient.push_back(near ? glm::vec3(0) : random);
    }
    return gradient;
}

Fields referenceGradients(const std::vector<BlobNumbers>& blobs, const Mode& mode, const Expected& expected,
                          const std::vector<glm::vec3>& gradient) {
    reference::PictureGradient asImage{.colour = Image<double>(kWidth, kHeight, 3), .transmittance = {}};
    for (size_t p = 0; p < gradient.size(); ++p)
        for (size_t k = 0; k < 3; ++k) asImage.colour.pixels[3 * p + k] = gradient[p][static_cast<glm::length_t>(k)];
    const auto bySplats = reference::blendBackward(expected.projected, expected.settings, asImage).projected;
    Fields fields;
    for (size_t i = 0; i < blobs.size(); ++i) {
        const BlobNumbers g = blobGradient(blobs[i], settingsOf(mode), bySplats[i]);
        for (size_t k = 0; k < g.size(); ++k) fields[k].push_back(g[k]);
    }
    return fields;
}

Fields gpuGradients(gpu::Device& device, const primitives::RadixSort& sort, const AccumulationRow& row,
                    const std::vector<BlobNumbers>& blobs, const Mode& mode, const std::vector<glm::vec3>& gradient) {
    return gpuStep(device, sort, row, blobs, kindOf(mode), {ownCamera(), kBackground}, gradient,
                   {.biasCorrection1 = 1, .biasCorrection2 = 1})
        .gradients;
}

class BlobGradients : public testing::TestWithParam<std::string> {};

TEST_P(BlobGradients, AgreeWithTheDoubleReferenceInEveryField) {
    const AccumulationRow& row = accumulationByName(GetParam());
    for (const Mode& mode : kModes) {
        const auto blobs = randomBlobs(300, mode.kind, 5);
        const Expected expected = expectedOf(blobs, mode, settingsOf(mode));
        const auto gradient = pictureGradient(expected.picture);
        expectClose(gpuGradients(testDevice(), testSort(), row, blobs, mode, gradient), referenceGradients(blobs, mode, expected, gradient),
                    2e-4, mode.name);
    }
}

INSTANTIATE_TEST_SUITE_P(AllRows, BlobGradients, testing::ValuesIn(accumulationNames()), accumulationTestName);

/// What is switched off.
class BlobGradientsWithoutFeature : public testing::TestWithParam<std::string> {};

TEST_P(BlobGradientsWithoutFeature, OfSumsAgreeInEveryRow) {
    const Mode& mode = kModes[0];
    const auto blobs = randomBlobs(120, mode.kind, 6);
    const Expected expected = expectedOf(blobs, mode, settingsOf(mode));
    const auto gradient = pictureGradient(expected.picture);
    const Fields fields = referenceGradients(blobs, mode, expected, gradient);
    gpu::Device device(testDeviceOptions({GetParam()}));
    const primitives::RadixSort sort(device);
    for (const AccumulationRow* row : accumulationTable())
        expectClose(gpuGradients(device, sort, *row, blobs, mode, gradient), fields, 2e-4,
                    fmt::format("{} without {}", row->name, GetParam()));
    EXPECT_EQ(device.validationMessages(), 0u);
}
INSTANTIATE_TEST_SUITE_P(Features, BlobGradientsWithoutFeature, testing::ValuesIn(featuresOrAll()), accumulationTestName);

// Adam's first step changes every parameter by its rate, against the gradient's sign.
TEST(BlobUpdate, EveryFieldHasItsRate) {
    constexpr float kMeans = 0.03f, kShapes = 0.011f, kColours = 0.047f, kOpacities = 0.0061f;
    const shared::StepParameters parameters{.lrMeans = kMeans,
                                            .lrScales = kShapes,
                                            .lrOpacities = kOpacities,
                                            .lrSh0 = kColours,
                                            .biasCorrection1 = 1 - static_cast<float>(shared::kBeta1),
                                            .biasCorrection2 = 1 - static_cast<float>(shared::kBeta2)};
    constexpr std::array kRates{kMeans, kMeans, kShapes, kShapes, kShapes, kColours, kColours, kColours, kOpacities};
    for (const Mode& mode : kModes) {
        const auto blobs = randomBlobs(300, mode.kind, 8);
        const std::vector<glm::vec3> gradient(size_t{kWidth} * kHeight, {0.3f, -0.2f, 0.7f});
        const Step step = gpuStep(testDevice(), testSort(), accumulationByName("subtile"), blobs, kindOf(mode), {ownCamera(), kBackground},
                                  gradient, parameters);
        for (size_t k = 0; k < kRates.size(); ++k) {
            size_t changed = 0;
            for (size_t i = 0; i < blobs.size(); ++i) {
                const double by = step.gradients[k][i];
                if (std::abs(by) < 1e-6) continue;
                ++changed;
                EXPECT_NEAR(step.changes[k][i], by > 0 ? -kRates[k] : kRates[k], 1e-4 * kRates[k] + 4e-6)
                    << mode.name << ": " << reference::kBlobFields[k];
            }
            EXPECT_GT(changed, 50u) << mode.name << ": " << reference::kBlobFields[k];
        }
    }
}

// Numbers that are not finite are neither drawn nor changed.
TEST(BlobUpdate, BlobsThatAreNotFiniteStayAndAreNotDrawn) {
    auto blobs = randomBlobs(40, kModes[0].kind, 9);
    const std::vector<glm::vec3> gradient(size_t{kWidth} * kHeight, glm::vec3(0.5f));
    const shared::StepParameters parameters{
        .lrMeans = 0.1f, .lrScales = 0.1f, .lrOpacities = 0.1f, .lrSh0 = 0.1f, .biasCorrection1 = 1, .biasCorrection2 = 1};
    const auto stepOf = [&] {
        return gpuStep(testDevice(), testSort(), accumulationByName("subtile"), blobs, kindOf(kModes[0]), {ownCamera(), kBackground},
                       gradient, parameters);
    };
    for (size_t k = 0; k < blobs[0].size(); ++k) {
        const double before = std::exchange(blobs[3][k], std::numeric_limits<double>::quiet_NaN());
        const Step step = stepOf();
        EXPECT_EQ(step.unusable, 1u) << reference::kBlobFields[k];
        for (size_t field = 0; field < step.changes.size(); ++field) {
            for (size_t i = 0; i < blobs.size(); ++i) {
                const double change = step.changes[field][i];
                EXPECT_TRUE(i == 3 ? field == k || change == 0 : std::isfinite(change)) << reference::kBlobFields[k] << ", blob " << i;
            }
        }
        blobs[3][k] = before;
    }
}

}  // namespace
}  // namespace splat
