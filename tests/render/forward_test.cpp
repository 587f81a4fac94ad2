#include <splatwright/render/forward.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include <splatwright/render/renderer.h>
#include "reference/render.h"
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/spoilers.h"
#include "support/test_device.h"

namespace splat {
namespace {

const glm::vec3 kBackground{0.2f, 0.4f, 0.7f};

struct Picture {
    std::vector<glm::vec3> colours;
    std::vector<float> transmittances;
    shared::FrameState state;
};

Picture draw(const Gaussians& gaussians, const Camera& camera, uint32_t instances = 1u << 16u, float opaqueBelow = 0) {
    gpu::Device& device = testDevice();
    const GpuScene scene(device, gaussians, camera, kBackground, instances);
    const Forward forward(device, testSort());
    ViewSelection view = scene.selection();
    view.opaqueBelow = opaqueBelow;
    device.run("picture", [&](gpu::Commands& c) { forward.record(c, scene.model, scene.frame, view); });
    const size_t pixels = size_t{scene.width} * scene.height;
    return {device.download<glm::vec3>(scene.frame.colours, pixels), device.download<float>(scene.frame.transmittances, pixels),
            device.download<shared::FrameState>(scene.frame.state, 1)[0]};
}

/// Values off by more than 1e-4 that no threshold nearby explains, and how many values there were.
struct Comparison {
    size_t values = 0;
    size_t off = 0;
    size_t unexplained = 0;
    double worst = 0;
};

Comparison compare(const Picture& picture, const reference::Rendering& expected) {
    Comparison c;
    for (size_t p = 0; p < picture.transmittances.size(); ++p) {
        const bool explained = expected.nearCut.pixels[p] != 0;
        for (size_t k = 0; k < 4; ++k) {
            const double found = k < 3 ? picture.colours[p][static_cast<glm::length_t>(k)] : picture.transmittances[p];
            const double error = std::abs(found - (k < 3 ? expected.colour.pixels[3 * p + k] : expected.transmittance.pixels[p]));
            ++c.values;
            if (!(error > 1e-4)) continue;
            ++c.off;
            if (!explained) ++c.unexplained;
            if (!explained) c.worst = std::max(c.worst, error);
        }
    }
    return c;
}

class ForwardScene : public testing::TestWithParam<std::string> {};

TEST_P(ForwardScene, AgreesWithTheDoubleReference) {
    for (const int degree : {0, 1, 2, 3}) {
        const reference::Scene scene = reference::makeScene(GetParam(), 7, degree);
        const reference::Settings settings{.shDegree = degree, .background = kBackground};
        const auto expected = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, settings);
        const Comparison c = compare(draw(scene.gaussians, scene.camera), expected);
        EXPECT_EQ(c.unexplained, 0u) << "degree " << degree << ", worst " << c.worst << " of " << c.values << " values";
        RecordProperty("off_by_threshold", static_cast<int>(c.off));
    }
}

TEST_P(ForwardScene, PixelsStopBehindTheSplatThatLeavesTooLittle) {
    const reference::Scene scene = reference::makeScene(GetParam(), 7);
    for (const float opaqueBelow : {0.004f, 0.1f, 0.6f}) {
        const reference::Settings settings{.background = kBackground, .opaqueBelow = opaqueBelow};
        const auto expected = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, settings);
        const Comparison c = compare(draw(scene.gaussians, scene.camera, 1u << 16u, opaqueBelow), expected);
        EXPECT_EQ(c.unexplained, 0u) << "below " << opaqueBelow << ", worst " << c.worst << " of " << c.values << " values";
    }
}

/// The scene with splats of a third of the size, so that the 2D filter bites.
reference::Scene antialiasedScene(const std::string& name) {
    reference::Scene scene = reference::makeScene(name, 7);
    for (glm::vec3& scale : scene.gaussians.logScales) scale -= 1.1f;
    scene.gaussians.antialiased = true;
    return scene;
}

TEST_P(ForwardScene, AntialiasedAgreesWithTheDoubleReference) {
    const reference::Scene scene = antialiasedScene(GetParam());
    const reference::Settings settings{.background = kBackground, .antialiased = true};
    const auto expected = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, settings);
    const Comparison c = compare(draw(scene.gaussians, scene.camera), expected);
    EXPECT_EQ(c.unexplained, 0u) << "worst " << c.worst << " of " << c.values << " values";
}

INSTANTIATE_TEST_SUITE_P(AllScenes, ForwardScene, testing::ValuesIn(reference::sceneNames()), [](const auto& p) { return p.param; });

TEST(Forward, AlmostAllValuesAreRightWhateverTheThresholds) {
    const reference::Scene scene = reference::makeMixedScene(400, 200, 150, 3);
    const auto expected = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {.background = kBackground});
    const Comparison c = compare(draw(scene.gaussians, scene.camera), expected);
    EXPECT_LE(static_cast<double>(c.off), 1e-4 * static_cast<double>(c.values)) << c.off << " of " << c.values;
    EXPECT_EQ(c.unexplained, 0u);
}

/// Splats from a pixel to the whole picture, more than a group of threads lists at once; some are in exactly 32 tiles, others in 33.
reference::Scene scaledScene(size_t splats = 700, int width = 240, int height = 160) {
    reference::Scene scene = reference::makeMixedScene(splats, width, height, 3);
    for (size_t i = 0; i < scene.gaussians.count(); ++i) scene.gaussians.logScales[i] += 0.25f * static_cast<float>(i % 13);
    return scene;
}

TEST(Forward, SplatsOfAnySizeAgreeWithTheReference) {
    const reference::Scene scene = scaledScene();
    const auto expected = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {.background = kBackground});
    const Comparison c = compare(draw(scene.gaussians, scene.camera), expected);
    EXPECT_EQ(c.unexplained, 0u) << "worst " << c.worst << " of " << c.values << " values";
}

/// Sub-tiles of a tile with a pixel centre where the splat's alpha reaches `least`: a bit for each.
uint32_t subtilesAbove(const shared::Projected& splat, glm::uvec2 tile, double least) {
    uint32_t mask = 0;
    for (uint32_t pixel = 0; pixel < shared::kTilePixels; ++pixel) {
        const glm::uvec2 at(pixel % shared::kTileSize, pixel / shared::kTileSize);
        const glm::dvec2 d = glm::dvec2(tile * shared::kTileSize + at) + 0.5 - glm::dvec2(splat.mean);
        const double power = splat.conic.x * d.x * d.x + 2.0 * splat.conic.y * d.x * d.y + splat.conic.z * d.y * d.y;
        if (splat.opacity * std::exp(-0.5 * power) >= least) mask |= 1u << (at.y / 4 * 2 + at.x / 8);
    }
    return mask;
}

/// No sub-tile may lack a splat that is visible there, and few may have one that is not.
void checkMasks(std::span<const shared::Projected> splats, std::span<const glm::uvec2> ranges, std::span<const uint32_t> words,
                uint32_t across) {
    int set = 0, needless = 0;
    for (uint32_t tile = 0; tile < ranges.size(); ++tile) {
        for (uint32_t i = ranges[tile].x; i < ranges[tile].y; ++i) {
            const shared::Projected& splat = splats[words[i] & ((1u << shared::kGaussianBits) - 1)];
            const uint32_t mask = words[i] >> shared::kGaussianBits;
            const glm::uvec2 place(tile % across, tile / across);
            EXPECT_EQ(subtilesAbove(splat, place, 1.001 / 255) & ~mask, 0u) << "tile " << tile << ", word " << i;
            set += std::popcount(mask);
            needless += std::popcount(mask & ~subtilesAbove(splat, place, 0.9 / 255));
        }
    }
    EXPECT_LT(needless, set / 20);
}

/// Lists a scene, compares each tile's list with the splats' tile counts and depths, and returns the counts.
std::vector<uint32_t> listAndCheck(const reference::Scene& scene) {
    gpu::Device& device = testDevice();
    const GpuScene drawn(device, scene.gaussians, scene.camera, kBackground, 1u << 20u);
    const Forward forward(device, testSort());
    device.run("lists", [&](gpu::Commands& c) { forward.record(c, drawn.model, drawn.frame, drawn.selection()); });
    const size_t count = scene.gaussians.count();
    const auto counts = device.download<uint32_t>(drawn.frame.tileCounts, count);
    const auto splats = device.download<shared::Projected>(drawn.frame.projected, count);
    const auto ranges = device.download<glm::uvec2>(drawn.frame.tileRanges, tileGrid(drawn.width, drawn.height).count());
    const uint32_t instances = device.download<uint32_t>(drawn.frame.instanceCount, 1)[0];
    auto list = device.download<uint32_t>(Forward::gaussianFromInstance(drawn.frame), instances);
    checkMasks(splats, ranges, list, tileGrid(drawn.width, drawn.height).across);
    for (uint32_t& word : list) word &= (1u << shared::kGaussianBits) - 1;

    std::vector<uint32_t> listed(count);
    for (const glm::uvec2 range : ranges) {
        for (uint32_t i = range.x; i < range.y; ++i) {
            ++listed[list[i]];
            if (i == range.x) continue;
            EXPECT_LT(splats[list[i - 1]].depth, splats[list[i]].depth) << "twice, or not front to back";
        }
    }
    EXPECT_EQ(listed, counts);
    return counts;
}

TEST(Forward, EachTileListsItsSplatsOnceFrontToBack) {
    const std::vector<uint32_t> counts = listAndCheck(scaledScene());
    for (const uint32_t tiles : {1u, 32u, 33u, 150u})
        EXPECT_GT(std::ranges::count(counts, tiles), 0) << "no splat in " << tiles << " tiles";
}

TEST(Forward, MoreInstancesThanThreadsOfAKernelAreListed) {
    const std::vector<uint32_t> counts = listAndCheck(scaledScene(4500, 960, 640));
    EXPECT_GT(std::accumulate(counts.begin(), counts.end(), 0u), 1u << 18u);
}

TEST(Forward, NoGaussiansGiveTheBackground) {
    Gaussians gaussians;
    gaussians.resize(0, 0);
    const Camera camera{.width = 33, .height = 17, .fx = 30, .fy = 30, .cx = 16, .cy = 8};
    for (const glm::vec3& colour : draw(gaussians, camera).colours) EXPECT_EQ(colour, kBackground);
}

TEST(Forward, DrawsTheSameBitsTwice) {
    const reference::Scene scene = reference::makeScene("mixed");
    EXPECT_EQ(draw(scene.gaussians, scene.camera).colours, draw(scene.gaussians, scene.camera).colours);
}

/// A model with splats that nobody can see before and after its own: behind the camera, transparent, far outside, of no size at all.
Gaussians withHidden(const Gaussians& g) {
    Gaussians out;
    const size_t coefficients = shCoefficients(g.shDegree);
    const auto hide = [&](glm::vec3 mean, float logit, glm::vec4 rotation) {
        out.means.push_back(mean);
        out.rotations.push_back(rotation);
        out.logScales.emplace_back(-3);
        out.logitOpacities.push_back(logit);
        out.sh.insert(out.sh.end(), coefficients, glm::vec3(1));
    };
    const auto hideAll = [&] {
        hide({0, 0, 0}, -10, {1, 0, 0, 0});
        hide({1e6f, 0, 1}, 2, {1, 0, 0, 0});
        hide({0, 0, 0}, 2, {0, 0, 0, 0});
        hide({std::nanf(""), 0, 0}, 2, {1, 0, 0, 0});
    };
    out.shDegree = g.shDegree;
    hideAll();
    out.means.insert(out.means.end(), g.means.begin(), g.means.end());
    out.rotations.insert(out.rotations.end(), g.rotations.begin(), g.rotations.end());
    out.logScales.insert(out.logScales.end(), g.logScales.begin(), g.logScales.end());
    out.logitOpacities.insert(out.logitOpacities.end(), g.logitOpacities.begin(), g.logitOpacities.end());
    out.sh.insert(out.sh.end(), g.sh.begin(), g.sh.end());
    hideAll();
    return out;
}

TEST(Forward, HiddenGaussiansDoNotChangeThePicture) {
    const reference::Scene scene = reference::makeScene("mixed");
    EXPECT_EQ(draw(scene.gaussians, scene.camera).colours, draw(withHidden(scene.gaussians), scene.camera).colours);
}

TEST(Forward, GaussiansThatAreNotFiniteDoNotChangeThePicture) {
    reference::Scene scene = reference::makeScene("mixed");
    Gaussians& gaussians = scene.gaussians;
    gaussians.logitOpacities[0] = 3;
    gaussians.means[0] = glm::vec3(scene.camera.position() + glm::transpose(scene.camera.rotation)[2]);
    Gaussians twice = gaussians;
    twice.resize(gaussians.count() + 1, gaussians.shDegree);
    copyGaussian(twice, gaussians.count(), gaussians, 0);
    ASSERT_NE(draw(twice, scene.camera).colours, draw(gaussians, scene.camera).colours) << "whatever is copied would be seen";
    for (const bool antialiased : {false, true}) {
        scene.gaussians.antialiased = antialiased;
        EXPECT_EQ(draw(scene.gaussians, scene.camera).colours, draw(withSpoilt(scene.gaussians), scene.camera).colours);
    }
}

TEST(Forward, AFrameThatDoesNotFitSaysWhatItNeeds) {
    const reference::Scene scene = reference::makeScene("mixed");
    const Picture picture = draw(scene.gaussians, scene.camera, 16);
    EXPECT_EQ(picture.state.halted, 1u);
    EXPECT_GT(picture.state.instancesNeeded, 16u);
    for (const glm::vec3& colour : picture.colours) EXPECT_EQ(colour, kBackground);
}

/// 526,345 splats that fill the screen at 1920x1080 are in 2^32 + 7904 tiles: a number that wraps would fit.
TEST(Forward, MoreInstancesThanAWordCountsAreTooMany) {
    gpu::Device& device = testDevice();
    constexpr uint32_t kSplats = 526'345;
    const FrameBuffers frame(device, {.gaussians = kSplats, .instances = 1u << 16u, .width = 1920, .height = 1080, .backward = false});
    device.upload(frame.tileCounts, std::vector<uint32_t>(kSplats, frame.capacity.tiles()));
    const gpu::Buffer count = device.buffer<uint32_t>("count", 1);
    device.upload(count, std::vector<uint32_t>{kSplats});
    const Forward forward(device, testSort());
    device.run("lists", [&](gpu::Commands& c) {
        forward.recordBegin(c, count, frame);
        c.fill(frame.projected, 0);
        forward.recordLists(c, frame, {1920, 1080});
    });
    const auto state = device.download<shared::FrameState>(frame.state, 1)[0];
    EXPECT_EQ(device.download<uint32_t>(frame.visibleCount, 1)[0], kSplats);
    EXPECT_EQ(state.halted, 1u);
    EXPECT_EQ(state.instancesNeeded, UINT32_MAX);
    EXPECT_EQ(device.download<uint32_t>(frame.instanceCount, 1)[0], 0u);
    const FrameCapacity impossible{.gaussians = 1, .instances = FrameCapacity::withMargin(state.instancesNeeded), .width = 1, .height = 1};
    EXPECT_THROW(FrameBuffers(device, impossible), gpu::OutOfMemory);
}

/// Wherever a size comes from: kernels index pixels with 32 bits, in which those of 65,536 x 65,536 are none.
TEST(FrameCapacity, HasAtMostAsManyPixelsAsKernelsCount) {
    EXPECT_EQ((FrameCapacity{.width = 32768, .height = 32768}.pixels()), 1u << 30u);
    EXPECT_THROW((void)(FrameCapacity{.width = 32768, .height = 32769}.pixels()), InputError);
    EXPECT_THROW((void)(FrameCapacity{.width = 65536, .height = 65536}.pixels()), InputError);
}

TEST(Forward, EveryImageSizeAcrossATileBorderAgrees) {
    for (const int width : {1, 15, 16, 17, 31, 33}) {
        for (const int height : {1, 16, 17}) {
            const reference::Scene scene = reference::makeMixedScene(40, width, height, 5);
            const auto expected = reference::render(reference::fromGaussians(scene.gaussians), scene.camera, {.background = kBackground});
            EXPECT_EQ(compare(draw(scene.gaussians, scene.camera), expected).unexplained, 0u) << width << "x" << height;
        }
    }
}

TEST(Renderer, GrowsWhatOverflowsAndDrawsTheSamePicture) {
    const reference::Scene scene = reference::makeScene("crowdedTile");
    gpu::Device& device = testDevice();
    GaussianModel model(device, static_cast<uint32_t>(scene.gaussians.count()));
    model.upload(device, scene.gaussians);
    Renderer renderer(device, testSort());
    const ImageF image = renderer.render(model, scene.camera, kBackground, scene.gaussians.shDegree);
    const Picture picture = draw(scene.gaussians, scene.camera);
    ASSERT_EQ(image.pixels.size(), picture.colours.size() * 3);
    for (size_t p = 0; p < picture.colours.size(); ++p) ASSERT_EQ(image.pixels[3 * p], picture.colours[p].x);
}

TEST(Renderer, DrawsTheLargestImage) {
    const reference::Scene scene = reference::makeMixedScene(20, 64, 64);
    gpu::Device& device = testDevice();
    GaussianModel model(device, static_cast<uint32_t>(scene.gaussians.count()));
    model.upload(device, scene.gaussians);
    Renderer renderer(device, testSort());
    const Camera large = resized(scene.camera, 8192, 1000);
    const ImageF image = renderer.render(model, large, kBackground, scene.gaussians.shDegree);
    EXPECT_EQ(image.pixels.size(), size_t{8192} * 1000 * 3);
}

TEST(Model, UploadAndDownloadAreInverse) {
    for (const int degree : {0, 1, 2, 3}) {
        const Gaussians g = reference::makeScene("mixed", 2, degree).gaussians;
        GaussianModel model(testDevice(), static_cast<uint32_t>(g.count()) + 3);
        model.upload(testDevice(), g);
        const Gaussians back = model.download(testDevice(), degree);
        EXPECT_EQ(back.means, g.means);
        EXPECT_EQ(back.rotations, g.rotations);
        EXPECT_EQ(back.logScales, g.logScales);
        EXPECT_EQ(back.logitOpacities, g.logitOpacities);
        EXPECT_EQ(back.sh, g.sh);
    }
}

}  // namespace
}  // namespace splat
