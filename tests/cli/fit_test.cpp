// `fit IMAGE` and `render FILE.blobs`.
#include "run.h"

#include <algorithm>
#include <cmath>

#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/pictures/blob_file.h>
#include <splatwright/train/evaluate/metrics.h>
#include "../scene/encoders.h"
#include "../scene/exif_samples.h"

namespace splat {
namespace {

using namespace test;

constexpr int kWidth = 26, kHeight = 18;

Image8 waves(int width = kWidth, int height = kHeight, int channels = 3) {
    Image8 image(width, height, channels);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int k = 0; k < channels; ++k)
                image.at(x, y)[static_cast<size_t>(k)] = static_cast<uint8_t>(128 + 100 * std::sin(0.2 * x + 0.3 * y * (k + 1)));
    return image;
}

struct Fit : testing::Test {
    fs::path picture(const Image8& image = waves()) const {
        const fs::path path = scratch.path() / "in" / "picture.png";
        fs::create_directories(path.parent_path());
        writePng(path, image);
        return path;
    }
    /// The picture that a few steps give.
    Image8 fitted(const fs::path& image, Arguments more = {}) const {
        more.emplace_back("--force");
        expectSuccess(tryFit(image, more));
        return readImage(out() / "fit.png");
    }
    fs::path out(const std::string& name = "out") const { return scratch.path() / name; }

    static Outcome fitInto(const fs::path& out, const fs::path& image, const Arguments& more, const RunOptions& options, int steps) {
        Arguments arguments{"fit", image, "-o", out, "-q", "--splats", "100", "--set", "lr_sh0=0.02"};
        arguments.insert(arguments.end(), {"--steps", std::to_string(steps)});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments, options);
    }
    Outcome fit(const fs::path& image, const Arguments& more = {}, const RunOptions& options = {}, int steps = 300) const {
        return fitInto(out(), image, more, options, steps);
    }
    /// Of waves(), 300 steps: the result of one run that tests share, in its own folder "out".
    static const Outcome& fitOfWaves(const fs::path& out) {
        static const Scratch folder;
        static const Outcome outcome = [] {
            const fs::path image = folder.path() / "picture.png";
            writePng(image, waves());
            return fitInto(folder.path() / "out", image, {}, {}, 300);
        }();
        fs::copy(folder.path() / "out", out, fs::copy_options::recursive);
        return outcome;
    }
    /// A few steps, for what does not depend on the result.
    Outcome tryFit(const fs::path& image, Arguments more = {}) const {
        Arguments arguments{"fit", image, "-o", out(), "-q", "--splats", "20", "--steps", "2"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments);
    }

    Scratch scratch;
};

TEST_F(Fit, WritesThePictureItsBlobsAndWhatTheyCost) {
    const Image8 image = waves();
    const Outcome& outcome = fitOfWaves(out());
    expectSuccess(outcome);
    expectParts(outcome.out, {"PSNR", "bits per pixel", "fit.png", "picture.blobs"});
    const json metrics = metricsOf(out());
    EXPECT_GE(metrics["psnr"].get<double>(), 30);
    EXPECT_GE(metrics["ssim"].get<double>(), 0.95);
    EXPECT_EQ(metrics["steps"], 300);
    EXPECT_EQ(metrics["splats"], 100);
    EXPECT_GT(metrics["seconds"].get<double>(), 0);
    EXPECT_NEAR(psnr(readImage(out() / "fit.png"), image), metrics["psnr"].get<double>(), 1e-9);
    const json& blobs = metrics["blobs"];
    EXPECT_EQ(blobs["bytes"], fs::file_size(out() / "picture.blobs"));
    EXPECT_NEAR(blobs["bits_per_pixel"].get<double>(), 8.0 * blobs["bytes"].get<double>() / (kWidth * kHeight), 1e-9);
    EXPECT_NEAR(blobs["psnr"].get<double>(), metrics["psnr"].get<double>(), 1);
    EXPECT_EQ(readPly(out() / "splats.ply").count(), 100u);
    EXPECT_EQ(blobs["bits"].size(), 5u);
    EXPECT_TRUE(fs::exists(out() / "checkpoint.splat-ckpt"));
}

// A row per evaluation: at about 1, 3, 10 and 32 % of the steps and the last one, or where --eval-at says.
TEST_F(Fit, TheStripShowsHowThePictureEmerges) {
    const auto rows = [&] { return static_cast<double>(readImage(out() / "strip.png").height) / readImage(out() / "fit.png").height; };
    const auto evaluated = [&] {
        std::vector<int> steps;
        for (const json& line : logOf(out()))
            if (line.contains("psnr")) steps.push_back(line["step"].get<int>());
        return steps;
    };
    expectSuccess(fitOfWaves(out()));
    EXPECT_EQ(evaluated(), (std::vector{3, 9, 30, 96, 300}));
    const double five = rows();
    EXPECT_GT(five, 5);
    expectSuccess(fit(picture(waves()), {"--force", "--eval-at", "50"}, {}, 100));
    EXPECT_EQ(evaluated(), (std::vector{50, 100}));
    EXPECT_NEAR(rows(), 2 * five / 5, 0.2);
}

TEST_F(Fit, LessLossTakesALargerFile) {
    const auto after = [&](const std::string& loss) {
        expectSuccess(fit(picture(waves()), {"--force", "--set", "file_loss=" + loss}, {}, 150));
        const json metrics = metricsOf(out());
        const double lost = metrics["psnr"].get<double>() - metrics["blobs"]["psnr"].get<double>();
        return std::pair(metrics["blobs"]["bytes"].get<int>(), lost);
    };
    const auto [small, much] = after("3");
    const auto [large, little] = after("0.1");
    EXPECT_LT(small, large);
    EXPECT_LT(little, 0.3);
    EXPECT_GT(much, little + 0.5);
    EXPECT_LT(much, 5);
}

TEST_F(Fit, ItsFileIsRenderedAtItsOwnSizeAndAtOthers) {
    const Image8 image = waves();
    expectSuccess(fitOfWaves(out()));
    const auto render = [&](const std::string& name, Arguments more) {
        Arguments arguments{"render", out() / "picture.blobs", "-o", out(name)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectSuccess(splatwright(arguments));
        return readImage(out(name) / "picture.png");
    };
    EXPECT_NEAR(psnr(render("own", {}), image), metricsOf(out())["blobs"]["psnr"].get<double>(), 1e-9);
    const Image8 large = render("large", {"--size", "104x72"});
    ASSERT_EQ(std::pair(large.width, large.height), std::pair(4 * kWidth, 4 * kHeight));
    Image8 middles(kWidth, kHeight, 3);  // about what lies under the pixels' centres
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            for (size_t k = 0; k < 3; ++k) middles.at(x, y)[k] = large.at(4 * x + 2, 4 * y + 2)[k];
    EXPECT_GE(psnr(middles, image), 28);
    // From cameras it is seen as flat splats.
    expectSuccess(splatwright({"render", out() / "picture.blobs", "-o", out("around"), "--orbit", "3", "--size", "16x16"}));
    EXPECT_TRUE(fs::exists(out("around") / "orbit_0002.png"));
}

TEST_F(Fit, GoesOnAfterAnInterruptionToTheSameBytes) {
    const fs::path image = picture();
    const std::vector<std::string> exact{"--deterministic", "--checkpoint-every", "20"};
    const auto with = [&](Arguments more) {
        more.insert(more.end(), exact.begin(), exact.end());
        return more;
    };
    constexpr int kSteps = 200;
    expectSuccess(fit(image, exact, {}, kSteps));
    fs::rename(out(), out("whole"));
    const Outcome stopped =
        fit(image, with({"--eval-at", "50"}), {.interruptWhen = [&] { return fs::exists(out() / "checkpoint.splat-ckpt"); }}, kSteps);
    ASSERT_EQ(stopped.code, kInterrupted) << stopped.err;
    expectParts(stopped.out, {"interrupted", " fit ", "--resume"});
    expectSuccess(splatwright({"fit", image, "-o", out(), "-q", "--resume", out() / "checkpoint.splat-ckpt"}));
    for (const char* file : {"splats.ply", "picture.blobs", "fit.png"})
        EXPECT_EQ(readFile(out() / file), readFile(out("whole") / file)) << file;
}

TEST_F(Fit, TakesPicturesOfEveryKind) {
    const auto expectFit = [&](const Image8& image, const Arguments& more = {}) {
        const Image8 found = fitted(picture(image), more);
        EXPECT_EQ(std::pair(found.width, found.height), std::pair(image.width, image.height));
    };
    expectFit(waves(1, 1));
    expectFit(waves(17, 1));
    expectFit(waves(1, 300));
    expectFit(waves(16, 16));
    expectFit(waves(33, 20, 4));
    expectFit(waves(33, 20, 4), {"--background", "1,0,0.5"});
}

/// Of 40x24 pixels.
struct PictureFile {
    const char* name;
    std::string content;
};

std::vector<PictureFile> picturesOfEveryKind() {
    const Image8 image = testImage(40, 24, 3), withAlpha = testImage(40, 24, 4);
    const auto png = [](int depth, int colourType, size_t rowBytes) {
        return RawPng{40, 24, depth, colourType, std::vector(24, std::vector<uint8_t>(rowBytes, 1)), {}, {}};
    };
    RawPng palette = png(8, PNG_COLOR_TYPE_PALETTE, 40), clear = palette;
    palette.palette = clear.palette = {{10, 20, 30}, {40, 50, 60}};
    clear.paletteAlpha = {0, 90};
    Image8 grey(40, 24, 1);
    return {{"palette.png", encodePng(palette)},
            {"palette with alpha.png", encodePng(clear)},
            {"grey.png", encodePng(png(8, PNG_COLOR_TYPE_GRAY, 40))},
            {"grey16.png", encodePng(png(16, PNG_COLOR_TYPE_GRAY, 80))},
            {"grey with alpha.png", encodePng(png(8, PNG_COLOR_TYPE_GRAY_ALPHA, 80))},
            {"grey16 with alpha.png", encodePng(png(16, PNG_COLOR_TYPE_GRAY_ALPHA, 160))},
            {"rgb16.png", encodePng(png(16, PNG_COLOR_TYPE_RGB, 240))},
            {"rgba16.png", encodePng(png(16, PNG_COLOR_TYPE_RGBA, 320))},
            {"baseline.jpg", encodeJpeg(image)},
            {"progressive.jpg", encodeJpeg(image, 95, true)},
            {"grey.jpg", encodeJpeg(grey)},
            {"cmyk.jpg", encodeJpeg(withAlpha)},
            {"ycck.jpg", encodeJpeg(withAlpha, 95, false, true)},
            {"lossless.webp", encodeWebp(image)},
            {"lossy.webp", encodeWebp(image, false)},
            {"alpha.webp", encodeWebp(withAlpha)}};
}

TEST_F(Fit, TakesFilesOfEveryKind) {
    for (const auto& [name, content] : picturesOfEveryKind()) {
        const Image8 found = fitted(scratch.write(name, content));
        EXPECT_EQ(std::pair(found.width, found.height), std::pair(40, 24)) << name;
    }
}

TEST_F(Fit, CoversThePictureAtEverySizeAtWhichItIsLoaded) {
    const fs::path image = picture(waves(56, 44));
    for (const int factor : {1, 2, 4}) {
        const std::string downscale = "downscale=" + std::to_string(factor);
        expectSuccess(fit(image, {"--force", "--set", downscale}, {}, 100));
        const Image8 found = readImage(out() / "fit.png");
        EXPECT_EQ(std::pair(found.width, found.height), std::pair(56 / factor, 44 / factor)) << downscale;
        EXPECT_GE(metricsOf(out())["psnr"].get<double>(), 16) << downscale;
    }
}

TEST_F(Fit, TurnsAPictureAsItsExifSays) {
    const std::string block = exifOf(6);
    const PictureFile files[] = {{"turned.jpg", jpegWithExif(encodeJpeg(testImage(40, 24, 3)), block)},
                                 {"turned.png", pngWithExif(encodePng(rawPng(testImage(40, 24, 4))), block)},
                                 {"turned.webp", webpWithExif(encodeWebp(testImage(40, 24, 3)), block, 40, 24)}};
    for (const auto& [name, content] : files) {
        const Image8 found = fitted(scratch.write(name, content));
        EXPECT_EQ(std::pair(found.width, found.height), std::pair(24, 40)) << name;
    }
    // Dark above bright, as stored: turned to the right, the bright half is on the left.
    Image8 halves(40, 24, 3);
    std::ranges::fill(std::span(halves.pixels).subspan(halves.index(0, 12)), uint8_t{250});
    expectSuccess(fit(scratch.write("halves.jpg", jpegWithExif(encodeJpeg(halves), block)), {"--force"}, {}, 100));
    const Image8 found = readImage(out() / "fit.png");
    EXPECT_GT(found.at(4, 20)[0], 180);
    EXPECT_LT(found.at(20, 20)[0], 70);
}

TEST_F(Fit, EveryPresetRuns) {
    for (const char* preset : {"best", "demo", "demo-published"}) expectSuccess(tryFit(picture(), {"--preset", preset, "--force"}));
    EXPECT_EQ(metricsOf(out())["settings"]["blobs"], "demo");
    expectFailure(tryFit(picture(), {"--preset", "mcmc", "--force"}), 2, {"--preset", "mcmc", "best, demo-published, demo"});
}

TEST_F(Fit, EveryAccumulationMethodGivesTheSamePicture) {
    std::vector<double> found;
    for (const char* method : {"subtile", "fixed-point", "bucket", "tree-cas", "atomic", "cas", "subgroup", "serial", "library"}) {
        expectSuccess(fit(picture(), {"--force", "--accumulate", method}, {}, 15));
        found.push_back(metricsOf(out())["psnr"].get<double>());
        EXPECT_NEAR(found.back(), found.front(), 0.3) << method;
    }
}

struct BadPicture {
    const char* name;
    std::string content;
    std::vector<std::string> parts;
};

TEST_F(Fit, RefusesWhatIsNoPicture) {
    std::string half = readTextFile(picture());
    half.resize(half.size() / 2);
    const BadPicture bad[] = {{"empty.png", "", {"empty.png"}},
                              {"text.png", "this is no picture", {"text.png"}},
                              {"half.png", half, {"half.png"}},
                              {"scene.ply", "ply\nformat ascii 1.0\n", {"scene.ply"}}};
    for (const BadPicture& b : bad) {
        expectFailure(tryFit(scratch.write(b.name, b.content)), 2, b.parts);
        EXPECT_FALSE(fs::exists(out())) << b.name;
    }
    expectFailure(tryFit(scratch.path() / "missing.png"), 2, {"missing.png"});
    expectFailure(tryFit(scratch.path()), 2, {scratch.path().string(), "directory"});
}

TEST_F(Fit, DoesNotReplaceAnotherRun) {
    expectSuccess(tryFit(picture()));
    expectFailure(tryFit(picture()), 2, {"another run", "--force"});
}

TEST_F(Fit, DatasetsAndStrategiesDoNotMix) {
    const fs::path data = tinyDataset(scratch);
    expectFailure(splatwright({"train", data, "-o", out(), "--strategy", "picture", "--steps", "1"}), 2, {"views of a scene", "picture"});
    expectFailure(tryFit(picture(), {"--set", "strategy=mcmc"}), 2, {"strategy"});
    EXPECT_FALSE(fs::exists(out()));
}

}  // namespace
}  // namespace splat
