// The kernels of the Slang playground's gsplat2d-diff against double precision, value by value, and each of its faults.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <splatwright/core/rng.h>
#include <splatwright/render/renderer.h>
#include <splatwright/scene/datasets/picture.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/picture_settings.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/parts/check_settings.h>
#include <splatwright/train/session/training_data.h>
#include <splatwright/train/step/trainer.h>
#include "reference/demo.h"
#include "scene/scratch.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/blob_steps.h"
#include "train/first_model.h"
#include "train/recipes.h"

namespace splat {
namespace {

using reference::BlobNumbers;

constexpr int kWidth = 72, kHeight = 56;  // tiles that the picture cuts
constexpr glm::dvec2 kPicture{400, 320};  // of which the image shows a corner
const glm::vec3 kBackground{0.9f, 0.2f, 0.4f};
const Camera kCamera{.width = kWidth, .height = kHeight, .fx = 1, .fy = 1};
constexpr uint32_t kAllFaults =
    shared::kDemoLosesBlobs | shared::kDemoFirstBias | shared::kDemoDeadParameters | shared::kDemoPremultipliesTwice;

/// Numbers that floats hold, so that both sides start from the same; all blobs are near the image.
std::vector<BlobNumbers> randomBlobs(size_t count, double low = 0.1, double high = 0.9) {
    Rng rng(17);
    const auto number = [&](double from, double to) { return static_cast<double>(static_cast<float>(rng.uniform(from, to))); };
    std::vector<BlobNumbers> blobs(count);
    for (BlobNumbers& blob : blobs) {
        for (double& value : blob) value = number(low, high);
        for (size_t k = 0; k < 2; ++k) blob[k] = number(0.01, 0.3);
    }
    return blobs;
}

ModelKind kindOf(uint32_t faults) { return {.row = &modelKindByName("demo"), .size = kPicture, .demo = DemoKernels{.faults = faults}}; }

reference::DemoSettings settingsOf(uint32_t faults) {
    return {.blobs = {.kind = reference::BlobKind::demo, .picture = kPicture},
            .background = kBackground,
            .losesBlobs = (faults & shared::kDemoLosesBlobs) != 0,
            .premultipliesTwice = (faults & shared::kDemoPremultipliesTwice) != 0};
}

ImageF drawn(const std::vector<BlobNumbers>& blobs, uint32_t faults, const Camera& camera = kCamera) {
    GaussianModel model(testDevice(), static_cast<uint32_t>(blobs.size()));
    model.kind = kindOf(faults);
    model.upload(testDevice(), stored(blobs));
    return Renderer(testDevice(), testSort()).render(model, camera, kBackground, 0);
}

double largestError(const ImageF& found, const reference::DemoPicture& expected) {
    double largest = 0;
    for (size_t i = 0; i < found.pixels.size(); ++i)
        if (expected.nearCut.pixels[i / 3] == 0) largest = std::max(largest, std::abs(double{found.pixels[i]} - expected.colour.pixels[i]));
    return largest;
}

class DemoPicture : public testing::TestWithParam<size_t> {};

TEST_P(DemoPicture, AgreesWithTheDoubleReference) {
    const auto blobs = randomBlobs(GetParam());
    for (const uint32_t faults : {0u, shared::kDemoPremultipliesTwice}) {
        const auto expected = reference::demoPicture(blobs, settingsOf(faults), kWidth, kHeight);
        EXPECT_LE(largestError(drawn(blobs, faults), expected), 2e-5) << "faults " << faults;
    }
}

// Across the workgroup boundary, and with tiles of more than 256.
INSTANTIATE_TEST_SUITE_P(Counts, DemoPicture, testing::Values(1, 255, 256, 257, 1500, 4000), testing::PrintToStringParamName());

TEST(DemoPictures, AgreeAtOtherSizes) {
    const auto blobs = randomBlobs(700);
    for (const double zoom : {0.5, 2.3}) {
        Camera camera = kCamera;
        camera.fx = zoom;
        camera.fy = 1.2 * zoom;
        camera.cx = 3.5;
        reference::DemoSettings settings = settingsOf(0);
        settings.blobs.scale = {camera.fx, camera.fy};
        settings.blobs.offset = {camera.cx, camera.cy};
        EXPECT_LE(largestError(drawn(blobs, 0, camera), reference::demoPicture(blobs, settings, kWidth, kHeight)), 2e-5) << "zoom " << zoom;
    }
}

/// The same faint blob many times: which of them are lost does not matter.
std::vector<BlobNumbers> equalBlobs(size_t count) {
    BlobNumbers blob{0.15, 0.15, 0.9, 0.9, 0.5, 0.6, 0.3, 0.8, 0.02};
    for (double& value : blob) value = static_cast<float>(value);
    return std::vector<BlobNumbers>(count, blob);
}

TEST(DemoPictures, DrawMoreThan256BlobsOfATileUnlessTheyLoseThem) {
    for (const size_t count : {256u, 257u, 400u}) {
        for (const uint32_t faults : {0u, shared::kDemoLosesBlobs}) {
            const auto expected = reference::demoPicture(equalBlobs(count), settingsOf(faults), kWidth, kHeight);
            EXPECT_LE(largestError(drawn(equalBlobs(count), faults), expected), 5e-5) << count << " blobs, faults " << faults;
        }
    }
    const auto all = reference::demoPicture(equalBlobs(400), settingsOf(0), kWidth, kHeight);
    EXPECT_GT(largestError(drawn(equalBlobs(400), shared::kDemoLosesBlobs), all), 0.01) << "the fault is visible";
}

/// dL/dcolour: random, and zero where a threshold decides.
std::vector<glm::vec3> gradientOf(const reference::DemoPicture& picture, double size) {
    Rng rng(11);
    std::vector<glm::vec3> gradient;
    for (const uint8_t near : picture.nearCut.pixels) {
        const glm::dvec3 random(rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size));
        gradient.emplace_back(near ? glm::dvec3(0) : random);
    }
    return gradient;
}

Step stepOf(const std::vector<BlobNumbers>& blobs, uint32_t faults, const std::vector<glm::vec3>& gradient,
            const shared::StepParameters& parameters) {
    return gpuStep(testDevice(), testSort(), accumulationByName("tree-cas"), blobs, kindOf(faults), {kCamera, kBackground}, gradient,
                   parameters);
}

Fields expectedGradients(const std::vector<BlobNumbers>& blobs, uint32_t faults, const std::vector<glm::vec3>& gradient) {
    Image<double> by(kWidth, kHeight, 3);
    for (size_t p = 0; p < gradient.size(); ++p)
        for (size_t k = 0; k < 3; ++k) by.pixels[3 * p + k] = gradient[p][static_cast<glm::length_t>(k)];
    Fields fields;
    for (const BlobNumbers& g : reference::demoGradients(blobs, settingsOf(faults), by))
        for (size_t k = 0; k < g.size(); ++k) fields[k].push_back(g[k]);
    return fields;
}

class DemoGradients : public testing::TestWithParam<size_t> {};

// Of small gradients none is clamped, of large ones most are.
TEST_P(DemoGradients, AgreeWithTheDoubleReferenceInEveryField) {
    const auto blobs = randomBlobs(GetParam());
    for (const uint32_t faults : {0u, shared::kDemoPremultipliesTwice}) {
        const auto picture = reference::demoPicture(blobs, settingsOf(faults), kWidth, kHeight);
        for (const double size : {1e-3, 30.0}) {
            const auto gradient = gradientOf(picture, size);
            const Step step = stepOf(blobs, faults, gradient, {.biasCorrection1 = 1, .biasCorrection2 = 1});
            expectClose(step.gradients, expectedGradients(blobs, faults, gradient), 2e-4, fmt::format("faults {}, size {}", faults, size));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Counts, DemoGradients, testing::Values(40, 257, 1100), testing::PrintToStringParamName());

TEST(DemoUpdate, BiasIsCorrectedByTheStepOrAlwaysAsInTheFirst) {
    constexpr float kCorrection1 = 0.4f, kCorrection2 = 0.005f, kRate = 1e-3f;  // of about the fifth step
    const auto blobs = randomBlobs(30);
    const auto gradient = gradientOf(reference::demoPicture(blobs, settingsOf(0), kWidth, kHeight), 1);
    const shared::StepParameters parameters{.lrMeans = kRate,
                                            .lrScales = kRate,
                                            .lrOpacities = kRate,
                                            .lrSh0 = kRate,
                                            .biasCorrection1 = kCorrection1,
                                            .biasCorrection2 = kCorrection2};
    const double exact = (1 - shared::kBeta1) / kCorrection1 / std::sqrt((1 - shared::kBeta2) / kCorrection2) * double{kRate};
    for (const auto& [faults, change] : {std::pair{0u, exact}, {shared::kDemoFirstBias, double{kRate}}}) {
        const Step step = stepOf(blobs, faults, gradient, parameters);
        for (size_t k = 0; k < step.changes.size(); ++k)
            for (size_t i = 0; i < blobs.size(); ++i) {
                if (std::abs(step.gradients[k][i]) < 1e-3) continue;
                EXPECT_NEAR(std::abs(step.changes[k][i]), change, 1e-3 * change + 1e-7) << "faults " << faults << ", field " << k;
            }
    }
}

// A parameter outside 0..1 has no gradient. It stays there, or is moved inside and learns again.
TEST(DemoUpdate, ParametersOutsideAreDeadOrMovedInside) {
    auto blobs = randomBlobs(9);
    for (size_t k = 0; k < blobs.size(); ++k) blobs[k][k] = k % 2 == 0 ? 1.5 : -0.25;
    const std::vector<glm::vec3> gradient(size_t{kWidth} * kHeight, {0.3f, -0.2f, 0.7f});
    const shared::StepParameters parameters{
        .lrMeans = 0.002f, .lrScales = 0.002f, .lrOpacities = 0.002f, .lrSh0 = 0.002f, .biasCorrection1 = 0.1f, .biasCorrection2 = 0.001f};
    const Step dead = stepOf(blobs, shared::kDemoDeadParameters, gradient, parameters), alive = stepOf(blobs, 0, gradient, parameters);
    for (size_t k = 0; k < blobs.size(); ++k) {
        // S(0.6 p) of the correlation is flat only beyond 1 / 0.6.
        if (k != 4) {
            EXPECT_EQ(dead.changes[k][k], 0) << reference::kBlobFields[k];
        }
        EXPECT_NEAR(blobs[k][k] + alive.changes[k][k], k % 2 == 0 ? 0.999 : 0.001, 1e-6) << reference::kBlobFields[k];
    }
}

TEST(DemoUpdate, NumbersThatAreNotFiniteStay) {
    auto blobs = randomBlobs(5);
    blobs[2][4] = std::numeric_limits<double>::quiet_NaN();
    const std::vector<glm::vec3> gradient(size_t{kWidth} * kHeight, glm::vec3(0.5f));
    for (const uint32_t faults : {0u, kAllFaults}) {
        const Step step = stepOf(blobs, faults, gradient, {.lrMeans = 0.1f, .biasCorrection1 = 1, .biasCorrection2 = 1});
        EXPECT_EQ(step.unusable, 1u);
    }
}

TrainSettings demoSettings() {
    TrainSettings settings = defaultsOf("picture");
    auto& own = settings.of<PictureSettings>();
    own.blobs = "demo";
    own.demoKernels = true;
    own.startShare = 1;
    return settings;
}

ImageChange changeOf(const TrainSettings& settings) { return trainedKind(settings).imageChange(settings); }

TEST(DemoSettings, EachFaultHasItsSetting) {
    const auto rules = [](const TrainSettings& settings) { return *trainedKind(settings).model(settings, {9, 9}).demo; };
    EXPECT_EQ(rules(demoSettings()), DemoKernels{});
    uint32_t all = 0;
    size_t next = 0;  // of the faults, which are in the order of their settings
    TrainSettings named = demoSettings();
    for (const SettingField& field : settingFields(named)) {
        if (!field.name.starts_with("demo_") || field.name == "demo_kernels") continue;
        TrainSettings settings = demoSettings();
        for (const SettingField& own : settingFields(settings))
            if (own.name == field.name) setSetting(own, "true", "");
        const DemoFault& fault = kDemoFaults.at(next++);
        EXPECT_TRUE(settings.of<PictureSettings>().*fault.wanted) << field.name;
        EXPECT_EQ(rules(settings).faults, fault.bit) << field.name;
        EXPECT_EQ(rules(settings).clearsTwice, field.name == "demo_clears_twice");
        EXPECT_EQ(changeOf(settings) != keepImage, field.name == "demo_row_below");
        all |= fault.bit;
    }
    EXPECT_EQ(next, kDemoFaults.size());
    EXPECT_EQ(all, kAllFaults);
}

TEST(DemoSettings, ThatContradictEachOtherAreRefused) {
    const auto expectRefused = [](const std::function<void(TrainSettings&)>& change, std::string_view named) {
        TrainSettings settings = demoSettings();
        change(settings);
        test::expectInputError([&] { checkTogether(settings); }, {std::string(named)});
    };
    for (const DemoFault& fault : kDemoFaults)
        expectRefused(
            [&](TrainSettings& s) {
                s.of<PictureSettings>().demoKernels = false;
                s.of<PictureSettings>().*fault.wanted = true;
            },
            "demo_kernels is false");
    expectRefused([](TrainSettings& s) { s.of<PictureSettings>().blobs = "free"; }, "blobs is 'free'");
    expectRefused([](TrainSettings& s) { s.of<PictureSettings>().blend = "sum"; }, "blob_blend is 'sum'");
    expectRefused([](TrainSettings& s) { s.deterministic = true; }, "deterministic is true");
}

TEST(DemoTarget, RowsMoveUpByOne) {
    Image8 image(2, 3, 3);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(i + 1);
    TrainSettings settings = demoSettings();
    settings.of<PictureSettings>().demoRowBelow = true;
    changeOf(settings)(image);
    const std::vector<uint8_t> expected{7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(std::vector<uint8_t>(image.pixels.begin(), image.pixels.end()), expected);
}

/// The picture on disk, and what is learnt of it.
TEST(DemoTarget, OnlyTheTrainingPictureIsMoved) {
    const test::Scratch scratch;
    Image8 image(5, 4, 3);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(3 * i);
    const auto path = scratch.path() / "picture.png";
    writePng(path, image);
    TrainSettings settings = demoSettings();
    for (const bool below : {false, true}) {
        settings.of<PictureSettings>().demoRowBelow = below;
        const TrainingData data = loadTrainingData(pictureDataset(path), settings, {});
        EXPECT_EQ(data.test.at(0).image.pixels, image.pixels);
        Image8 learnt = image;
        if (below) {
            learnt.pixels.erase(learnt.pixels.begin(), learnt.pixels.begin() + 5 * 3);
            learnt.pixels.resize(image.pixels.size());
        }
        EXPECT_EQ(data.train.at(0).image.pixels, learnt.pixels);
    }
}

/// Red to the left, blue to the right.
Photograph twoColours() {
    Image8 image(64, 48, 3);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) image.at(x, y)[x < image.width / 2 ? 0 : 2] = 200;
    return {.name = "picture", .camera = {.width = 64, .height = 48, .fx = 1, .fy = 1}, .image = image};
}

double psnrAfter(const TrainSettings& settings) {
    const Photograph picture = twoColours();
    Trainer trainer(testDevice(), testSort(), settings, firstModel(picture, settings), {picture}, 1);
    trainer.run(settings.steps, [](const StepReport&) { return true; });
    const ImageF found = Renderer(testDevice(), testSort()).render(trainer.model(), picture.camera, settings.background, 0);
    return psnr(quantised(found), picture.image);
}

// Half a minute: smaller pictures or fewer blobs, of at most a hundredth of the picture, learn nothing in 25 steps.
TEST(DemoTraining, LearnsThePictureAndItsFaultsCostQuality) {
    TrainSettings settings = presetOf(std::filesystem::path(SPLAT_SHADERS).parent_path() / "assets/presets/fit/demo.json").settings;
    settings.maxSplats = 5000;
    settings.steps = 25;
    settings.lrMeans = settings.lrMeansFinal = settings.lrScales = settings.lrSh0 = settings.lrOpacities = 0.03;
    const double corrected = psnrAfter(settings);
    EXPECT_GT(corrected, 12) << "random blobs are at 6 dB";
    for (const DemoFault& fault : kDemoFaults) settings.of<PictureSettings>().*fault.wanted = true;
    EXPECT_LT(psnrAfter(settings), corrected - 1);
}

}  // namespace
}  // namespace splat
