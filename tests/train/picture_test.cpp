// Fitting a picture: where its first blobs are, how many are added and where, and whole runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <splatwright/core/rng.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/render/renderer.h>
#include <splatwright/scene/datasets/picture.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/picture_settings.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/parts/check_settings.h>
#include <splatwright/train/session/training_data.h>
#include <splatwright/train/settings/accumulation_setting.h>
#include <splatwright/train/step/trainer.h>
#include "scene/scratch.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/first_model.h"
#include "train/recipes.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

constexpr int kWidth = 60, kHeight = 44;  // tiles that the picture cuts

Photograph photographOf(Image8 image) {
    const Camera camera{.width = image.width, .height = image.height, .fx = 1, .fy = 1};
    return {.name = "picture", .camera = camera, .image = std::move(image)};
}

/// A smooth left half and stripes in the right one.
Photograph stripes(int width = kWidth, int height = kHeight) {
    Image8 image(width, height, 3);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double wave = x < width / 2 ? 0.3 : 0.5 + 0.4 * std::sin(0.9 * x + 0.5 * y);
            const double slope = static_cast<double>(y) / height;
            const double channels[] = {wave, 0.5 * wave + 0.2, 0.2 + 0.6 * slope};
            for (size_t k = 0; k < 3; ++k) image.at(x, y)[k] = static_cast<uint8_t>(std::lround(255 * channels[k]));
        }
    return photographOf(std::move(image));
}

Photograph grey(uint8_t value) {
    Image8 image(kWidth, kHeight, 3);
    std::ranges::fill(image.pixels, value);
    return photographOf(std::move(image));
}

TrainSettings fewBlobs(uint32_t blobs = 300) {
    TrainSettings settings = defaultsOf("picture");
    settings.maxSplats = blobs;
    settings.steps = 240;
    auto& own = settings.of<PictureSettings>();
    own.startShare = own.growUntil = 0.5;
    own.growTimes = 6;
    settings.lrScales = 0.02;  // a short run takes larger steps
    settings.lrSh0 = 0.01;
    settings.lrFinalFactor = 0.3;
    return settings;
}

size_t rightOfTheMiddle(const Gaussians& blobs) {
    return static_cast<size_t>(std::ranges::count_if(blobs.means, [](const glm::vec3& mean) { return mean.x > kWidth / 2.0f; }));
}

TEST(StartBlobs, AreDrawnByThePicturesGradient) {
    TrainSettings settings = fewBlobs();
    settings.of<PictureSettings>().evenShare = 0;
    const Gaussians blobs = firstModel(stripes(), settings);
    ASSERT_EQ(blobs.count(), 150u);
    EXPECT_GE(rightOfTheMiddle(blobs), 140u);
    settings.of<PictureSettings>().evenShare = 1;
    const size_t even = rightOfTheMiddle(firstModel(stripes(), settings));
    EXPECT_NEAR(static_cast<double>(even), 75, 5);
    settings.of<PictureSettings>().evenShare = 0.5;
    const size_t half = rightOfTheMiddle(firstModel(stripes(), settings));
    EXPECT_NEAR(static_cast<double>(half), 110, 10);
}

TEST(StartBlobs, OfAPictureOfOneColourAreSpreadEvenly) {
    const Gaussians blobs = firstModel(grey(90), fewBlobs());
    EXPECT_NEAR(static_cast<double>(rightOfTheMiddle(blobs)), 75, 5);
}

TEST(StartBlobs, AreAtPixelCentresWithTheSettingsSizeAndOpacity) {
    TrainSettings settings = fewBlobs();
    settings.of<PictureSettings>().startSize = 0.7;
    settings.of<PictureSettings>().blend = "sum";
    const Gaussians blobs = firstModel(stripes(), settings);
    const double sigma = 0.7 * std::sqrt(kWidth * kHeight / 300.0);
    for (size_t i = 0; i < blobs.count(); ++i) {
        for (const float place : {blobs.means[i].x, blobs.means[i].y}) EXPECT_EQ(place - std::floor(place), 0.5f);
        EXPECT_LT(blobs.means[i].x, kWidth);
        EXPECT_LT(blobs.means[i].y, kHeight);
        EXPECT_NEAR(std::exp(blobs.logScales[i].x), sigma, 1e-5);
        EXPECT_NEAR(std::exp(blobs.logScales[i].z), sigma, 1e-5);
        EXPECT_EQ(blobs.logScales[i].y, 0);
        EXPECT_NEAR(1 / (1 + std::exp(-blobs.logitOpacities[i])), settings.initOpacity, 1e-6);
        EXPECT_EQ(blobs.sh[i], glm::vec3(0));
    }
}

TEST(StartBlobs, ThatAreBlendedHaveThePicturesColours) {
    TrainSettings settings = fewBlobs();
    settings.of<PictureSettings>().blend = "order";
    const Photograph picture = stripes();
    const Gaussians blobs = firstModel(picture, settings);
    for (size_t i = 0; i < blobs.count(); ++i) {
        const auto pixel = picture.image.at(static_cast<int>(blobs.means[i].x), static_cast<int>(blobs.means[i].y));
        for (glm::length_t k = 0; k < 3; ++k) EXPECT_NEAR(blobs.sh[i][k], pixel[static_cast<size_t>(k)] / 255.0f, 1e-6);
    }
}

TEST(StartBlobs, FollowTheSeedAndTheNumberOfBlobs) {
    TrainSettings settings = fewBlobs();
    const auto start = [&] { return firstModel(stripes(), settings).means; };
    const auto first = start();
    EXPECT_EQ(start(), first);
    settings.seed = 7;
    EXPECT_NE(start(), first);
    settings.of<PictureSettings>().startShare = 1;
    EXPECT_EQ(start().size(), 300u);
    settings.maxSplats = 0;
    EXPECT_EQ(start().size(), kWidth * kHeight / 10u);
    settings.of<PictureSettings>().startShare = 0.001;
    EXPECT_EQ(start().size(), 1u);
}

TEST(StartBlobs, OfTheDemoAreUniformInItsParameters) {
    TrainSettings settings = fewBlobs(4000);
    settings.of<PictureSettings>().blobs = "demo";
    settings.of<PictureSettings>().startShare = 1;
    const Gaussians blobs = firstModel(stripes(), settings);
    ASSERT_EQ(blobs.count(), 4000u);
    const auto expectUniform = [&](const auto& value) {
        double sum = 0;
        for (size_t i = 0; i < blobs.count(); ++i) {
            ASSERT_TRUE(value(i) >= 0 && value(i) < 1);
            sum += static_cast<double>(value(i));
        }
        EXPECT_NEAR(sum / 4000, 0.5, 0.02);
    };
    for (glm::length_t k = 0; k < 3; ++k) {
        if (k < 2) expectUniform([&](size_t i) { return blobs.means[i][k]; });
        expectUniform([&](size_t i) { return blobs.logScales[i][k]; });
        expectUniform([&](size_t i) { return blobs.sh[i][k]; });
    }
    expectUniform([&](size_t i) { return blobs.logitOpacities[i]; });
}

/// A run on one picture.
struct Fit {
    Fit(const Photograph& picture, const TrainSettings& settings)
        : camera(picture.camera), trainer(testDevice(), testSort(), settings, firstModel(picture, settings), {picture}, 1) {}

    std::vector<uint32_t> run(uint32_t until) {
        std::vector<uint32_t> counts;
        trainer.run(until, [&](const StepReport& report) {
            counts.push_back(report.gaussians);
            return true;
        });
        return counts;
    }
    Image8 picture() {
        trainer.releaseFrame();
        return quantised(Renderer(testDevice(), testSort()).render(trainer.model(), camera, trainer.settings().background, 0));
    }

    Camera camera;
    Trainer trainer;
};

TEST(PictureStrategy, AddsBlobsUntilThereAreAsManyAsWanted) {
    const TrainSettings settings = fewBlobs();
    Fit fit(stripes(36, 28), settings);
    const std::vector<uint32_t> counts = fit.run(settings.steps);
    EXPECT_EQ(counts.front(), 150u);
    EXPECT_TRUE(std::ranges::is_sorted(counts));
    for (uint32_t step = 0; step < 120; ++step) {
        const uint32_t refinements = step / 18;
        EXPECT_NEAR(counts[step], 150 + 25 * refinements, 26) << step;  // each adds a sixth of the 150
    }
    EXPECT_EQ(counts.back(), 300u);
    EXPECT_EQ(counts[110], 300u) << "the last refinement is after step 108";
    EXPECT_EQ(fit.trainer.costs().repeatedSteps, 0u);
}

/// The left half is as the picture, the right half is black: all errors are there.
TEST(PictureStrategy, AddsThemWhereTheErrorIs) {
    TrainSettings settings = fewBlobs(400);
    settings.steps = 60;
    settings.of<PictureSettings>().startShare = 0.01;
    settings.background = {0, 0, 0};
    settings.of<PictureSettings>().growTimes = 1;
    settings.of<PictureSettings>().blend = "sum";
    settings.lrSh0 = settings.lrMeans = settings.lrMeansFinal = settings.lrScales = 0;
    Photograph picture = grey(0);
    for (int y = 0; y < kHeight; ++y)
        for (int x = kWidth / 2; x < kWidth; ++x)
            for (size_t k = 0; k < 3; ++k) picture.image.at(x, y)[k] = 200;
    Fit fit(picture, settings);
    fit.run(settings.steps);
    const Gaussians blobs = fit.trainer.model().download(testDevice(), 0);
    ASSERT_EQ(blobs.count(), 400u);
    for (size_t i = 4; i < blobs.count(); ++i) {
        EXPECT_GT(blobs.means[i].x, kWidth / 2.0f);
        for (glm::length_t k = 0; k < 3; ++k) EXPECT_NEAR(blobs.sh[i][k], 200 / 255.0f, 1e-5);
    }
}

TEST(PictureStrategy, AddsNoneToAPictureThatIsRight) {
    TrainSettings settings = fewBlobs();
    settings.steps = 60;
    settings.background = glm::vec3(90 / 255.0f);
    settings.lrSh0 = 0;  // summed blobs begin without a colour; a rate would make noise of the last digit
    settings.of<PictureSettings>().blend = "sum";
    Fit fit(grey(90), settings);
    EXPECT_EQ(fit.run(settings.steps).back(), 150u);
}

struct Case {
    const char* name;
    const char* blobs;
    const char* blend;
    double psnr;
};

class PictureFit : public testing::TestWithParam<Case> {};

/// Blobs of the demo have at most a hundredth of the picture's size, so that it takes many.
TrainSettings demoSettings() {
    TrainSettings settings = fewBlobs(4000);
    settings.steps = 120;
    settings.of<PictureSettings>().startShare = 1;
    settings.lrMeans = settings.lrMeansFinal = settings.lrScales = settings.lrSh0 = settings.lrOpacities = 0.02;
    settings.lrFinalFactor = 1;
    return settings;
}

// Each gate is below the mean of five seeds by more than three standard deviations.
TEST_P(PictureFit, GetsNearThePicture) {
    const bool demo = std::string_view(GetParam().blobs) == "demo";
    TrainSettings settings = demo ? demoSettings() : fewBlobs(500);
    settings.of<PictureSettings>().blobs = GetParam().blobs;
    settings.of<PictureSettings>().blend = GetParam().blend;
    const Photograph picture = demo ? stripes(80, 60) : stripes();
    Fit fit(picture, settings);
    fit.run(settings.steps);
    const double found = psnr(fit.picture(), picture.image);
    RecordProperty("psnr", fmt::format("{:.2f}", found));
    EXPECT_GE(found, GetParam().psnr);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PictureFit,
                         testing::Values(Case{"free_sum", "free", "sum", 42}, Case{"free_order", "free", "order", 40.5},
                                         Case{"demo_order", "demo", "order", 28.5}, Case{"demo_sum", "demo", "sum", 28}),
                         [](const auto& test) { return test.param.name; });

TEST(PictureStrategy, DeterministicRunsAreBitIdenticalAndResumeExactly) {
    TrainSettings settings = fewBlobs();
    settings.steps = 120;
    settings.deterministic = true;
    accumulateDeterministically(settings);
    const Photograph picture = stripes(36, 28);
    Fit whole(picture, settings), again(picture, settings), second(picture, settings);
    whole.run(settings.steps);
    again.run(45);  // it still adds blobs
    second.trainer.restore(again.trainer.checkpoint());
    again.run(settings.steps);
    expectSameBytes(again.trainer.checkpoint().sections, whole.trainer.checkpoint().sections);
    second.run(settings.steps);
    expectSameBytes(second.trainer.checkpoint().sections, whole.trainer.checkpoint().sections);
}

TEST(PictureStrategy, MoreBlobsMayBeWantedWhileItRuns) {
    TrainSettings settings = fewBlobs();
    settings.steps = 120;
    Fit fit(stripes(36, 28), settings);
    fit.run(25);
    settings.maxSplats = 1000;
    fit.trainer.change(settings);
    EXPECT_EQ(fit.run(settings.steps).back(), 1000u);
}

TEST(PictureStrategy, CannotTakeThePlaceOfAnotherNorItsPicture) {
    Fit fit(stripes(), fewBlobs());
    EXPECT_THROW(fit.trainer.change(defaultsOf("fixed")), InputError);
    EXPECT_NO_THROW(checkKind("p.png", kPictureFormat, defaultsOf("picture")));
    EXPECT_THROW(checkKind("p.png", "colmap", defaultsOf("picture")), InputError);
    for (const DensifierRow* row : sceneStrategies()) {
        EXPECT_NO_THROW(checkKind("scene", "colmap", defaultsOf(row->name))) << row->name;
        EXPECT_THROW(checkKind("p.png", kPictureFormat, defaultsOf(row->name)), InputError) << row->name;
    }
}

TEST(PictureStrategy, RefusesSettingsThatContradictIt) {
    TrainSettings settings = fewBlobs();
    settings.of<PictureSettings>().blobs = "demo";
    EXPECT_THROW(checkTogether(settings), InputError);
    settings.of<PictureSettings>().startShare = 1;
    EXPECT_NO_THROW(checkTogether(settings));
    settings.startDownscale = 2;
    EXPECT_THROW(checkTogether(settings), InputError);
}

/// Another value for each number that acts on 3D Gaussians only.
void changeNumbersOfScenes(TrainSettings& settings) {
    // Pictures have full size only, and no second view to withhold.
    const auto isFixed = [](std::string_view name) { return name == "start_downscale" || name == "withhold"; };
    for (const SettingField& field : settingsOf(SettingUse::scenes, settingFields(settings))) {
        if (field.about.use != SettingUse::scenes || isFixed(field.name)) continue;
        if (uint32_t* const* whole = std::get_if<uint32_t*>(&field.value)) **whole = **whole < field.about.max ? **whole + 1 : **whole - 1;
        if (double* const* number = std::get_if<double*>(&field.value)) **number = 0.5 * (**number + std::min(field.about.max, 1.0));
    }
}

TEST(PictureStrategy, NumbersOfScenesChangeNothing) {
    TrainSettings settings = fewBlobs(60), changed = settings;
    settings.steps = 20;
    accumulateDeterministically(settings);
    changed = settings;
    changeNumbersOfScenes(changed);
    ASSERT_NE(changed.opacityReg, settings.opacityReg);
    EXPECT_NO_THROW(checkTogether(changed));
    const auto blobsAfter = [](const TrainSettings& used) {
        Fit fit(stripes(36, 28), used);
        fit.run(used.steps);
        return fit.trainer.model().download(testDevice(), 0);
    };
    const Gaussians expected = blobsAfter(settings), found = blobsAfter(changed);
    EXPECT_EQ(found.means, expected.means);
    EXPECT_EQ(found.logScales, expected.logScales);
    EXPECT_EQ(found.sh, expected.sh);
    EXPECT_EQ(found.logitOpacities, expected.logitOpacities);
}

TEST(Blobs, ComeBackAsTheyWereStored) {
    Rng rng(3);
    Blobs blobs{.width = kWidth, .height = kHeight};
    blobs.resize(300);
    const auto number = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
    for (size_t i = 0; i < blobs.count(); ++i) {
        blobs.centres[i] = {number(0, kWidth), number(0, kHeight)};
        blobs.factors[i] = {number(0.1, 9), number(-5, 5), number(0.1, 9)};
        blobs.colours[i] = {number(-1, 2), number(-1, 2), number(-1, 2)};
        blobs.opacities[i] = number(0.01, 0.99);
    }
    GaussianModel model(testDevice(), 300, kindOf(blobs));
    model.upload(testDevice(), storedBlobs(blobs));
    const Blobs found = downloadBlobs(testDevice(), model, glm::vec3(0));
    ASSERT_EQ(found.count(), blobs.count());
    for (size_t i = 0; i < blobs.count(); ++i) {
        EXPECT_EQ(found.centres[i], blobs.centres[i]);
        for (glm::length_t k = 0; k < 3; ++k) EXPECT_NEAR(found.factors[i][k], blobs.factors[i][k], 2e-5);
        EXPECT_EQ(found.colours[i], blobs.colours[i]);
        EXPECT_NEAR(found.opacities[i], blobs.opacities[i], 1e-5);
    }
    blobs.factors[17].z = 0;
    EXPECT_THROW(storedBlobs(blobs), InputError);
}

}  // namespace
}  // namespace splat
