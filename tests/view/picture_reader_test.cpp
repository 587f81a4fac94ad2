// The values behind pictures: against the double reference, and against the pictures that they become.
#include <splatwright/view/picture_reader.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "world_scene.h"

namespace splat {
namespace {

/// A pixel's splats, and how much they cover of it.
struct Pixel {
    const Ingredients& in;
    reference::PixelTrace walk;

    double coverage() const { return 1 - walk.transmittance; }
    glm::dvec3 sum(const std::function<glm::dvec3(const reference::Projected&)>& carried) const {
        glm::dvec3 sum(0);
        for (const auto& c : walk.contributions) sum += carried(in.projected[c.splat]) * c.alpha.value * c.transmittance;
        return sum;
    }
    double mean(const std::function<double(const reference::Projected&)>& carried) const {
        return walk.contributions.empty() ? 0 : sum([&](const auto& p) { return glm::dvec3(carried(p)); }).x / coverage();
    }
    glm::dvec3 normal() const {
        const glm::dvec3 n = sum([](const auto& p) { return p.normal; });
        return walk.contributions.empty() ? n : glm::normalize(n);
    }
};

const std::map<std::string_view, std::function<glm::dvec3(const Pixel&)>> kValues{
    {"colour",
     [](const Pixel& p) { return p.sum([](const auto& splat) { return splat.colour; }) + p.walk.transmittance * glm::dvec3(kBackground); }},
    {"depth", [](const Pixel& p) { return glm::dvec3(p.mean([](const auto& splat) { return splat.depth; })); }},
    {"normal", [](const Pixel& p) { return p.normal(); }},
    {"alpha", [](const Pixel& p) { return glm::dvec3(p.coverage()); }},
    {"splats", [](const Pixel& p) { return glm::dvec3(static_cast<double>(p.walk.contributions.size())); }}};

/// A scene with a hole in it and colours above one.
reference::Scene brightScene() {
    reference::Scene scene = reference::makeMixedScene(60, 100, 75, 11);
    for (glm::vec3& colour : scene.gaussians.sh) colour *= 2.0F;
    return scene;
}

TEST(PictureValues, AreThoseOfTheDoubleReference) {
    const reference::Scene scene = brightScene();
    WorldScene world(scene.gaussians);
    PictureReader reader(testDevice());
    const Ingredients in = ingredientsOf(scene.gaussians, scene.camera, world.view.settings);
    for (const auto& [name, valueOf] : kValues) {
        world.draw(scene.camera, std::string(name));
        const ImageF found = reader.values(world.view);
        size_t compared = 0, empty = 0;
        double largest = 0;
        for (int y = 0; y < scene.camera.height; ++y)
            for (int x = 0; x < scene.camera.width; ++x) {
                const Pixel pixel{in, trace(in, {x, y})};
                if (pixel.walk.nearCut) continue;
                const glm::dvec3 expected = valueOf(pixel);
                const double slack = 2e-4 * std::max(1.0, std::abs(expected.x));
                for (int k = 0; k < found.channels; ++k)
                    ASSERT_NEAR(found.at(x, y)[static_cast<size_t>(k)], expected[k], slack) << name << " " << x << "," << y;
                ++compared;
                empty += pixel.walk.contributions.empty();
                largest = std::max(largest, expected.x);
            }
        EXPECT_GT(compared, found.pixels.size() / static_cast<size_t>(found.channels) * 3 / 4) << name;
        EXPECT_GT(empty, 20u) << name;
        EXPECT_TRUE(name != "colour" || largest > 1.2) << largest;
    }
}

/// Colours of a mode's values, as the last pass makes them.
glm::dvec3 shown(const RenderMode& mode, const RenderSettings& s, std::span<const float> value, double coverage) {
    const glm::dvec3 background(s.background);
    if (mode.tints()) return {value[0], value[1], value[2]};
    const glm::dvec3 colour = mode.isNumber() ? glm::dvec3(mappedColour((value[0] - s.rangeLow) / (s.rangeHigh - s.rangeLow), s.colourMap))
                                              : glm::dvec3(0.5) + 0.5 * glm::dvec3(value[0], -value[1], -value[2]);
    const bool isMean = mode.show == shared::kShowMean || mode.show == shared::kShowNormal;
    return isMean ? glm::mix(background, colour, coverage) : colour;
}

TEST(PictureValues, BecomeThePictureInEveryMode) {
    const reference::Scene scene = brightScene();
    WorldScene world(scene.gaussians);
    PictureReader reader(testDevice());
    world.view.settings.autoRange = false;
    world.view.settings.rangeHigh = 8;
    const Words truth(static_cast<size_t>(scene.camera.width * scene.camera.height), 0x00c08040u);
    const gpu::Buffer photo = testDevice().buffer<uint32_t>("ground truth", truth.size());
    testDevice().upload(photo, truth);
    world.view.groundTruth = {photo, {scene.camera.width, scene.camera.height}};
    world.draw(scene.camera, "alpha");
    const ImageF coverage = reader.values(world.view);
    for (const RenderMode& mode : renderModes()) {
        if (mode.need == RenderModeNeed::gradients) continue;
        const Words drawn = world.draw(scene.camera, std::string(mode.name));
        const ImageF values = reader.values(world.view);
        const Image8 picture = reader.picture(world.view);
        ASSERT_EQ(static_cast<size_t>(values.channels), mode.channels().size()) << mode.name;
        ASSERT_EQ(picture.pixels.size(), 3 * drawn.size());
        for (size_t i = 0; i < drawn.size(); ++i) {
            const auto channels = static_cast<size_t>(values.channels);
            const glm::dvec3 expected =
                shown(mode, world.view.settings, std::span(values.pixels).subspan(i * channels, channels), coverage.pixels[i]);
            const glm::ivec3 difference = glm::abs(channelsOf(drawn[i]) - channelsOf(pixelWord(expected)));
            ASSERT_LE(std::max({difference.x, difference.y, difference.z}), 1) << mode.name << " " << i;
            for (int k = 0; k < 3; ++k) ASSERT_EQ(picture.pixels[3 * i + static_cast<size_t>(k)], channelsOf(drawn[i])[k]) << mode.name;
        }
    }
}

TEST(PictureValues, FollowTheSizeOfThePicture) {
    const reference::Scene scene = brightScene();
    WorldScene world(scene.gaussians);
    PictureReader reader(testDevice());
    for (const glm::ivec2 size : {glm::ivec2(33, 20), {90, 70}, {17, 50}}) {
        world.draw(resized(scene.camera, size.x, size.y), "normal");
        const ImageF values = reader.values(world.view);
        EXPECT_EQ(glm::ivec2(values.width, values.height), size);
        EXPECT_EQ(reader.picture(world.view).height, size.y);
    }
}

/// Each splat counts by its blending weight, whatever the scale of its model in the world.
TEST(PictureValues, NormalsOfPlacedModelsAreThoseOfTheirGaussiansInTheWorld) {
    const reference::Scene scene = brightScene(), other = reference::makeMixedScene(60, 100, 75, 12);
    const ModelTransform placed{.translation = {0.1, 0.2, 0.3}, .rotation = {0.9, 0.1, -0.3, 0.2}, .scale = 3};
    WorldScene world(other.gaussians), baked(other.gaussians);
    world.world.setTransform(world.world.add("placed", scene.gaussians), placed);
    baked.world.add("baked", transformed(scene.gaussians, placed));
    PictureReader reader(testDevice());
    world.draw(scene.camera, "normal");
    baked.draw(scene.camera, "normal");
    const ImageF found = reader.values(world.view), expected = reader.values(baked.view);
    size_t off = 0;
    for (size_t i = 0; i < found.pixels.size(); ++i) off += std::abs(found.pixels[i] - expected.pixels[i]) > 1e-2 ? 1u : 0u;
    EXPECT_LE(off, found.pixels.size() / 200);
}

}  // namespace
}  // namespace splat
