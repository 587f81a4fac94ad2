// What `render` writes: pictures of every mode, and the values behind them.
#include <chrono>
#include <cmath>
#include <cstring>

#include <splatwright/core/input_file.h>
#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/formats/sog/streamed_sog.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/photographs/undistort.h>
#include <splatwright/scene/pictures/blob_file.h>
#include <splatwright/view/render_modes.h>
#include "../scene/blob_samples.h"
#include "../scene/exr_samples.h"
#include "reference/render.h"
#include "reference/scenes.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

/// The numbers of an NPY file of this width.
ImageF readNpy(const fs::path& path, int width, int channels) {
    const std::string text = readTextFile(path);
    const size_t begin = text.find('\n') + 1, numbers = (text.size() - begin) / sizeof(float);
    EXPECT_NE(text.find(channels == 1 ? fmt::format(", {})", width) : fmt::format(", {}, {})", width, channels)), std::string::npos);
    ImageF image(width, static_cast<int>(numbers) / channels / width, channels);
    std::memcpy(image.pixels.data(), text.data() + begin, image.pixels.size() * sizeof(float));
    return image;
}

float largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
    EXPECT_EQ(a.size(), b.size());
    float largest = 0;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

struct RenderValues : testing::Test {
    const Scratch scratch;
    const reference::Scene scene = reference::makeMixedScene(30, 64, 48, 11);
    const fs::path splats = at("splats.ply"), camera = at("camera.json");

    RenderValues() {
        writePly(splats, scene.gaussians);
        writeCameraFile(camera, {{"view", scene.camera}});
    }
    fs::path at(const std::string& name) const { return scratch.path() / name; }
    Outcome render(Arguments more) const {
        more.insert(more.begin(), {"render", splats, "-o", at("out"), "-q"});
        return splatwright(more);
    }
    /// The file of the scene's own camera.
    fs::path written(const std::string& mode, const std::string& format, bool half = false) const {
        Arguments more{"--camera", camera, "--mode", mode, "--as", format, "--background", "0.1,0.2,0.3"};
        if (half) more.emplace_back("--half");
        expectSuccess(render(more));
        return at("out") / ("view." + format);
    }
};

TEST_F(RenderValues, EveryModeIsWrittenInEveryFormat) {
    for (const RenderMode& mode : renderModes()) {
        if (mode.need != RenderModeNeed::nothing) continue;
        SCOPED_TRACE(mode.name);
        const std::string name(mode.name);
        EXPECT_EQ(readImage(written(name, "png")).width, 64);
        const Exr single = readExr(written(name, "exr")), half = readExr(written(name, "exr", true));
        std::vector<std::string> channels = mode.channels();
        std::ranges::sort(channels);
        EXPECT_EQ(single.channels, channels);
        EXPECT_EQ(half.channels, channels);
        EXPECT_EQ(single.types.front(), Imf::FLOAT);
        EXPECT_EQ(half.types.front(), Imf::HALF);
        const ImageF npy = readNpy(written(name, "npy"), 64, static_cast<int>(channels.size()));
        ASSERT_EQ(npy.height, 48);
        const size_t last = channels.size() - 1;
        const bool reversed = channels.front() == "B";  // by their names
        for (size_t i = 0; i < npy.pixels.size(); ++i) {
            const size_t other = reversed ? i / 3 * 3 + last - i % 3 : i;
            ASSERT_EQ(single.image.pixels[other], npy.pixels[i]) << i;
            ASSERT_NEAR(half.image.pixels[other], npy.pixels[i], std::abs(npy.pixels[i]) / 1024 + 1e-7F) << i;
        }
    }
}

TEST_F(RenderValues, AreThoseOfTheDoubleReference) {
    const auto projected = reference::projectAll(reference::fromGaussians(scene.gaussians), scene.camera, {});
    const auto order = reference::depthOrder(projected);
    const ImageF depth = readNpy(written("depth", "npy"), 64, 1), normal = readNpy(written("normal", "npy"), 64, 3),
                 alpha = readNpy(written("alpha", "npy"), 64, 1), colour = readNpy(written("colour", "npy"), 64, 3);
    size_t empty = 0;
    for (int y = 0; y < 48; ++y) {
        for (int x = 0; x < 64; ++x) {
            const auto trace = reference::tracePixel(projected, order, glm::dvec2(x, y) + 0.5, {});
            if (trace.nearCut) continue;
            glm::dvec4 sum(0);  // of normals and depths
            glm::dvec3 blended = trace.transmittance * glm::dvec3(0.1F, 0.2F, 0.3F);
            for (const auto& c : trace.contributions) {
                const double weight = c.alpha.value * c.transmittance;
                sum += weight * glm::dvec4(projected[c.splat].normal, projected[c.splat].depth);
                blended += weight * projected[c.splat].colour;
            }
            const double coverage = 1 - trace.transmittance, length = glm::length(glm::dvec3(sum));
            const bool covered = !trace.contributions.empty();
            empty += covered ? 0 : 1;
            ASSERT_NEAR(depth.at(x, y)[0], covered ? sum.w / coverage : 0, 1e-3);
            ASSERT_NEAR(alpha.at(x, y)[0], coverage, 1e-4);
            for (size_t k = 0; k < 3; ++k) {
                const auto axis = static_cast<int>(k);
                ASSERT_NEAR(normal.at(x, y)[k], covered ? sum[axis] / length : 0, 1e-3);
                ASSERT_NEAR(colour.at(x, y)[k], blended[axis], 1e-3);
            }
        }
    }
    EXPECT_GT(empty, 10u);
}

/// Renders of a dataset are drawn in the frame of training, whose unit is another one.
TEST_F(RenderValues, DepthsOfADatasetsViewsAreInItsOwnUnit) {
    const fs::path data = tinyDataset(scratch);
    const Dataset dataset = loadDataset(data, {});
    std::vector<NamedView> views;
    for (const View& view : dataset.views)
        views.push_back({fs::path(view.name).stem().string(), undistortedCamera(view.camera, view.distortion)});
    writeCameraFile(camera, views);
    const auto depth = [&](const std::vector<std::string>& source) {
        Arguments more{"--mode", "depth", "--as", "npy"};
        more.insert(more.end(), source.begin(), source.end());
        expectSuccess(render(more));
        return readNpy(at("out") / (views[1].name + ".npy"), 32, 1);
    };
    const ImageF found = depth({"--data", data, "--split", "all"}), expected = depth({"--camera", camera});
    ASSERT_EQ(found.pixels.size(), expected.pixels.size());
    double largest = 0;
    for (size_t i = 0; i < found.pixels.size(); ++i) {
        EXPECT_NEAR(found.pixels[i], expected.pixels[i], 1e-2) << i;
        largest = std::max<double>(largest, found.pixels[i]);
    }
    EXPECT_GT(largest, 1);
}

TEST_F(RenderValues, ErrorsAreThoseOfTheRenderFromThePhotograph) {
    const fs::path data = tinyDataset(scratch);
    expectSuccess(render({"--data", data, "--split", "all", "--mode", "error", "--as", "npy"}));
    expectSuccess(render({"--data", data, "--split", "all"}));
    for (const char* const name : {"0000", "0003"}) {
        const ImageF error = readNpy(at("out") / (std::string(name) + ".npy"), 32, 1);
        const Image8 picture = readImage(at("out") / (std::string(name) + ".png")),
                     photograph = readImage(data / "images" / (std::string(name) + ".png"));
        for (size_t i = 0; i < error.pixels.size(); ++i) {
            double sum = 0;
            for (size_t k = 0; k < 3; ++k) sum += std::abs(picture.pixels[3 * i + k] - photograph.pixels[3 * i + k]) / 255.0 / 3;
            ASSERT_NEAR(error.pixels[i], sum, 0.5 / 255 + 1e-5) << name << " " << i;
        }
    }
}

TEST_F(RenderValues, SayWhatAModeOrAFileNeeds) {
    const fs::path data = tinyDataset(scratch);
    expectFailure(render({"--orbit", "2", "--mode", "gradient"}), 2, {"--mode gradient", "a model in training"});
    expectFailure(render({"--orbit", "2", "--mode", "error"}), 2, {"--mode error", "no --data"});
    expectFailure(render({"--data", data, "--mode", "error", "--size", "9x9"}), 2, {"--mode error", "--size"});
    expectFailure(render({"--orbit", "2", "--half"}), 2, {"--half", "--as png", "--as exr"});
    expectFailure(render({"--orbit", "2", "--half", "--as", "npy"}), 2, {"--half", "--as npy"});
    EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(RenderValues, HalfFloatsThatAreTooSmallLeaveNoFile) {
    Gaussians far = scene.gaussians;
    for (glm::vec3& mean : far.means) mean.z += 1e5F;
    for (glm::vec3& scale : far.logScales) scale += 12.0F;
    writePly(splats, far);
    expectFailure(render({"--camera", camera, "--mode", "depth", "--as", "exr", "--half"}), 2, {"view.exr", "channel Z", "65504"});
    EXPECT_FALSE(fs::exists(at("out")));
    expectSuccess(render({"--camera", camera, "--mode", "depth", "--as", "exr"}));
}

TEST_F(RenderValues, AFittedPictureHasAllModesToo) {
    const fs::path file = at("a.blobs");
    writeBlobs(file, pictureLikeBlobs(1500, false), {.bits = {14, 10, 10, 10, 8}});
    const auto picture = [&](const std::string& mode) {
        expectSuccess(splatwright({"render", file, "-o", at("out"), "--mode", mode, "--size", "300x200", "-q"}));
        return readImage(at("out") / "a.png");
    };
    const Image8 colour = picture("colour"), tiles = picture("tiles"), splatsOf = picture("splats");
    double squares = 0;
    size_t inside = 0;
    for (int y = 0; y < 200; ++y) {
        for (int x = 0; x < 300; ++x) {
            if (x % 16 == 0 || y % 16 == 0) continue;
            for (size_t k = 0; k < 3; ++k) squares += std::pow(colour.at(x, y)[k] - tiles.at(x, y)[k], 2);
            inside += 3;
        }
    }
    EXPECT_LT(squares / static_cast<double>(inside), 20);  // 35 dB
    EXPECT_NE(colour.pixels, splatsOf.pixels);
}

TEST_F(RenderValues, AStreamedModelIsDrawnOnceItsLevelsAreThere) {
    expectSuccess(splatwright({"convert", splats, at("scene.ssog"), "-q"}));
    expectSuccess(splatwright({"convert", at("scene.ssog"), at("whole.ply"), "-q"}));
    for (const char* mode : {"colour", "depth"}) {
        const auto drawn = [&](const std::string& model) {
            expectSuccess(
                splatwright({"render", at(model), "-o", at(model + "s"), "--camera", camera, "--mode", mode, "--budget", "100000"}));
            return readImage(at(model + "s") / "view.png").pixels;
        };
        EXPECT_EQ(drawn("scene.ssog"), drawn("whole.ply")) << mode;
    }
    expectSuccess(splatwright({"render", at("scene.ssog"), "-o", at("orbit"), "--orbit", "2", "--size", "64x48"}));
    expectParts(splatwright({"render", at("scene.ssog"), "-o", at("data"), "--data", at("somewhere")}).err,
                {"scene.ssog: found --data", "expected --camera or --orbit for a streamed model"});
    expectParts(splatwright({"view", at("scene.ssog"), "--headless", "--frames", "2", "--size", "64x48", "--json"}).out,
                {"\"splats\": 30"});
}

/// The first view has what is there at once, and later ones what has been read since.
TEST_F(RenderValues, LiveViewsOfAStreamedModelDoNotWaitForLevels) {
    const Gaussians many = reference::makeMixedScene(3000, 64, 48, 11).gaussians;
    writePly(splats, many);
    expectSuccess(splatwright({"convert", splats, at("scene.ssog"), "--lod", "-q"}));
    const StreamedSog streamed(at("scene.ssog"));
    writePly(at("coarsest.ply"), streamed.readLevel(streamed.levels() - 1));
    writeCameraFile(camera, {{"first", scene.camera}, {"second", scene.camera}, {"third", scene.camera}});
    const auto drawn = [&](const std::string& model, const std::string& view, Arguments more = {}) {
        more.insert(more.begin(), {"render", at(model), "-o", at(model + "s"), "--camera", camera, "--mode", "alpha", "--as", "npy"});
        expectSuccess(splatwright(more));
        return readNpy(at(model + "s") / (view + ".npy"), 64, 1).pixels;
    };
    const auto coarsest = drawn("coarsest.ply", "first"), whole = drawn("scene.ssog", "first");
    const auto start = std::chrono::steady_clock::now();
    const auto live = drawn("scene.ssog", "first", {"--live", "2"});
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(1)) << "three views at two per second";
    const auto last = readNpy(at("scene.ssogs") / "third.npy", 64, 1).pixels;
    EXPECT_LT(largestDifference(live, coarsest), 1e-5F);
    EXPECT_LT(largestDifference(last, whole), 1e-5F);
    EXPECT_GT(largestDifference(whole, coarsest), 0.001F) << "a poor test";
    expectParts(splatwright({"render", splats, "-o", at("out"), "--orbit", "1", "--live", "60"}).err,
                {"--live: found splats that are read as a whole"});
}

}  // namespace
}  // namespace splat
