// What is drawn of a world is what the offline renderer draws of its models, whatever the way there.
#include <splatwright/view/world_view.h>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "support/spoilers.h"
#include "world_scene.h"

namespace splat {
namespace {

/// The scene's camera, a little further to the side each frame.
Camera movedAside(Camera camera, int frame) {
    camera.translation.x += 0.02 * frame;
    return camera;
}

double psnr(const Words& a, const Words& b) {
    double squares = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const glm::dvec3 difference(channelsOf(a[i]) - channelsOf(b[i]));
        squares += glm::dot(difference, difference) / 3;
    }
    return 10 * std::log10(255.0 * 255.0 * static_cast<double>(a.size()) / std::max(squares, 1e-30));
}

TEST(WorldView, DrawsAModelAsTheRendererDoesToTheBit) {
    for (const std::string& name : reference::sceneNames()) {
        const reference::Scene scene = reference::makeScene(name, 7);
        WorldScene world(scene.gaussians);
        EXPECT_EQ(world.draw(scene.camera), rendered(scene.gaussians, scene.camera)) << name;
    }
}

TEST(WorldView, DrawsAnAntialiasedModelAsTheRendererDoesToTheBit) {
    reference::Scene scene = reference::makeScene("mixed", 7);
    for (glm::vec3& scale : scene.gaussians.logScales) scale -= 1.1f;
    scene.gaussians.antialiased = true;
    WorldScene world(scene.gaussians);
    EXPECT_EQ(world.draw(scene.camera), rendered(scene.gaussians, scene.camera));
}

TEST(WorldView, NumbersOfGaussiansAndImageSizesAcrossBlocksMakeNoDifference) {
    for (const size_t count : std::initializer_list<size_t>{1, 63, 64, 65, 255, 256, 257, 513}) {
        const reference::Scene scene = reference::makeMixedScene(count, 33, 17, 5);
        WorldScene world(scene.gaussians);
        EXPECT_EQ(world.draw(scene.camera), rendered(scene.gaussians, scene.camera)) << count;
    }
    for (const glm::ivec2 size : {glm::ivec2(1, 1), {15, 17}, {16, 16}, {31, 1}, {1, 40}, {129, 95}}) {
        const reference::Scene scene = reference::makeMixedScene(60, size.x, size.y, 5);
        WorldScene world(scene.gaussians);
        EXPECT_EQ(world.draw(scene.camera), rendered(scene.gaussians, scene.camera)) << size.x << "x" << size.y;
    }
}

TEST(WorldView, TwoHalvesAreTheWhole) {
    const reference::Scene scene = reference::makeMixedScene(300, 100, 80, 3);
    WorldScene world(part(scene.gaussians, 0, 131));
    world.world.add("the rest", part(scene.gaussians, 131, 300));
    EXPECT_EQ(world.draw(scene.camera), rendered(scene.gaussians, scene.camera));
}

TEST(WorldView, AMovedModelFromAMovedCameraIsTheSamePicture) {
    const reference::Scene scene = reference::makeMixedScene(300, 160, 120, 3);
    WorldScene world(scene.gaussians);
    const Words expected = world.draw(scene.camera);
    for (const double scale : {1.0, 0.3, 7.0}) {
        const ModelTransform transform{
            .translation = {3, -2, 5}, .rotation = glm::normalize(glm::dquat(0.4, -0.3, 0.7, 0.2)), .scale = scale};
        world.world.setTransform(world.world.ids()[0], transform);
        EXPECT_GE(psnr(world.draw(transformed(scene.camera, transform)), expected), 60) << scale;
    }
}

TEST(WorldView, APlacedModelIsWhatTheTransformedGaussiansAre) {
    const reference::Scene scene = reference::makeMixedScene(200, 100, 80, 3);
    const ModelTransform transform{
        .translation = {0.1, -0.05, 0.4}, .rotation = glm::normalize(glm::dquat(0.95, 0.02, -0.1, 0.2)), .scale = 1.2};
    WorldScene world(scene.gaussians);
    world.world.setTransform(world.world.ids()[0], transform);
    EXPECT_GE(psnr(world.draw(scene.camera), rendered(transformed(scene.gaussians, transform), scene.camera)), 60);
}

/// By the light that the splats let through, whatever the background's colour.
TEST(WorldView, ABackdropIsSeenThroughTheSplats) {
    const reference::Scene scene = reference::makeMixedScene(40, 50, 40, 3);
    WorldScene world(scene.gaussians);
    Words image;
    for (uint32_t i = 0; i < 50 * 40; ++i) image.push_back(i * 2654435761u | 255u << 24u);
    const auto pixels = testDevice().buffer<uint32_t>("backdrop", image.size());
    testDevice().upload(pixels, image);
    world.view.settings.background = {0, 0, 0};
    const Words black = world.draw(scene.camera);
    world.view.settings.background = {1, 1, 1};
    const Words white = world.draw(scene.camera);
    world.view.settings.background = {0.3F, 0.6F, 0.1F};
    world.view.backdrop = {.pixels = pixels, .size = {50, 40}};
    const Words found = world.draw(scene.camera);
    for (size_t i = 0; i < found.size(); ++i) {
        const glm::dvec3 low = channelsOf(black[i]), high = channelsOf(white[i]), behind = channelsOf(image[i]);
        const glm::dvec3 wanted = low + (high - low) * behind / 255.0, off = glm::abs(glm::dvec3(channelsOf(found[i])) - wanted);
        for (int channel = 0; channel < 3; ++channel) {
            if (high[channel] >= 255) continue;  // it may be brighter than white
            ASSERT_LT(off[channel], 2.01) << i;
        }
    }
    world.view.backdrop->size = {40, 50};
    world.view.settings.background = {0, 0, 0};
    EXPECT_EQ(world.draw(scene.camera), black) << "one of another size is not shown";
}

TEST(WorldView, InvisibleModelsAndHiddenOrDeletedGaussiansChangeNothing) {
    const reference::Scene scene = reference::makeMixedScene(300, 100, 80, 3);
    const Words expected = rendered(part(scene.gaussians, 0, 150), scene.camera);
    WorldScene world(part(scene.gaussians, 0, 150));
    const World::Id other = world.world.add("other", part(scene.gaussians, 150, 300));
    EXPECT_NE(world.draw(scene.camera), expected);
    world.world.setVisible(other, false);
    EXPECT_EQ(world.draw(scene.camera), expected);
    world.world.setVisible(other, true);
    const uint32_t first = world.world[other].first;
    for (uint32_t i = 0; i < 150; ++i) world.mark(first + i, i % 2 == 0 ? shared::kMarkHidden : shared::kMarkDeleted);
    EXPECT_EQ(world.draw(scene.camera), expected);
    world.world.remove(other);
    EXPECT_EQ(world.draw(scene.camera), expected);
}

/// Two views of one world show different models of it, visible or not.
TEST(WorldView, ChosenModelsAreDrawnAndNoOthers) {
    const reference::Scene scene = reference::makeMixedScene(300, 100, 80, 3);
    const Gaussians one = part(scene.gaussians, 0, 150), two = part(scene.gaussians, 150, 300);
    WorldScene world(one);
    const World::Id first = world.world.ids()[0], other = world.world.add("other", two);
    world.world.setVisible(other, false);
    WorldView second(testDevice(), testSort(), world.world);
    second.settings.background = kBackground;
    second.models = {other};
    second.draw(scene.camera);
    second.finish();
    EXPECT_EQ(testDevice().download<uint32_t>(second.picture(), 100 * 80), rendered(two, scene.camera));
    EXPECT_EQ(world.draw(scene.camera), rendered(one, scene.camera));
    world.view.models = {first, other};
    EXPECT_EQ(world.draw(scene.camera), rendered(scene.gaussians, scene.camera));
    world.view.models.emplace();
    for (const uint32_t word : world.draw(scene.camera)) ASSERT_EQ(word, pixelWord(kBackground));
}

TEST(WorldView, GaussiansThatAreNotFiniteDoNotChangeThePicture) {
    reference::Scene scene = reference::makeScene("mixed", 7);
    scene.gaussians.logitOpacities[0] = 3;  // whatever is copied would be seen
    WorldScene world(withSpoilt(scene.gaussians));
    EXPECT_EQ(world.draw(scene.camera), rendered(scene.gaussians, scene.camera));
}

/// A splat near the camera, in a model whose own units are other than the world's.
TEST(WorldView, TheNearPlaneIsInTheWorldsUnitsWhateverAModelsScale) {
    Gaussians one;
    one.resize(1, 0);
    one.sh[0] = glm::vec3(1);
    one.logitOpacities[0] = 3;
    const Camera camera{.width = 16, .height = 16, .fx = 16, .fy = 16, .cx = 8, .cy = 8};
    for (const double scale : {0.001, 0.1, 1.0, 10.0, 1000.0}) {
        one.logScales[0] = glm::vec3(static_cast<float>(std::log(0.002 / scale)));
        for (const double depth : {0.009, 0.011}) {  // the plane is at 0.01
            one.means[0] = glm::vec3(0, 0, static_cast<float>(depth / scale));
            WorldScene world(one);
            const Words empty = WorldScene().draw(camera);
            world.world.setTransform(world.world.ids()[0], ModelTransform{.scale = scale});
            EXPECT_EQ(world.draw(camera) == empty, depth < 0.01) << "scale " << scale << ", depth " << depth;
        }
    }
}

TEST(WorldView, AnEmptyWorldIsTheBackground) {
    const Camera camera{.width = 33, .height = 17, .fx = 30, .fy = 30, .cx = 16, .cy = 8};
    WorldScene empty;
    Gaussians none;
    none.resize(0, 0);
    WorldScene ofNothing(none);
    for (WorldScene* world : {&empty, &ofNothing})
        for (const uint32_t word : world->draw(camera)) EXPECT_EQ(word, pixelWord(kBackground));
}

TEST(WorldView, TheLastOfSeveralPicturesInFlightIsTheOneThatShows) {
    const reference::Scene scene = reference::makeMixedScene(200, 96, 64, 3);
    WorldScene world(scene.gaussians);
    for (const int frames : {1, 2, 3, 4, 9}) {
        for (int i = 0; i < frames; ++i) world.view.draw(movedAside(scene.camera, i));
        world.view.finish();
        EXPECT_EQ(world.picture(), rendered(scene.gaussians, movedAside(scene.camera, frames - 1))) << frames;
    }
}

TEST(WorldView, EveryPictureIsReportedOnceInOrder) {
    const reference::Scene scene = reference::makeMixedScene(200, 96, 64, 3);
    WorldScene world(scene.gaussians);
    std::vector<FrameReport> all;
    for (int i = 0; i < 10; ++i) {
        world.view.draw(movedAside(scene.camera, i));
        world.view.poll();
        for (FrameReport& r : world.view.reports()) all.push_back(std::move(r));
    }
    world.view.finish();
    for (FrameReport& r : world.view.reports()) all.push_back(std::move(r));
    ASSERT_EQ(all.size(), 10u);
    for (size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].picture, i);
        EXPECT_TRUE(all[i].complete);
        EXPECT_GT(all[i].visible, 100u);
        EXPECT_GE(all[i].instances, all[i].visible);
        ASSERT_EQ(all[i].stages.size(), 7u);
        EXPECT_EQ(all[i].stages[2].first, "depth sort");
    }
}

TEST(WorldView, APictureThatDoesNotFitIsDrawnAgain) {
    reference::Scene scene = reference::makeMixedScene(40, 96, 64, 3);
    for (glm::vec3& scale : scene.gaussians.logScales) scale += 2.5f;  // each in many tiles
    const Words expected = rendered(scene.gaussians, scene.camera);
    for (const int pictures : {1, 5}) {
        WorldScene world(scene.gaussians);
        for (int i = 0; i < pictures; ++i) world.view.draw(scene.camera);
        while (!world.view.poll()) continue;
        EXPECT_EQ(world.picture(), expected);
        const auto reports = world.view.reports();
        EXPECT_FALSE(reports.front().complete);
        EXPECT_TRUE(reports.back().complete);
        EXPECT_GT(reports.back().instances, 4 * 64u);
    }
}

TEST(WorldView, APictureThatDoesNotFitLeavesTheOneBeforeUntilItDoes) {
    const reference::Scene scene = reference::makeMixedScene(40, 96, 64, 3);
    WorldScene world(scene.gaussians);
    world.view.settings.sizeScale = 0.3;
    const Words before = world.draw(scene.camera);
    world.view.settings.sizeScale = 12;
    world.view.draw(scene.camera);
    testDevice().waitForAll();
    EXPECT_EQ(world.picture(), before);
    world.view.finish();
    EXPECT_NE(world.picture(), before);
    const auto reports = world.view.reports();
    ASSERT_EQ(reports.size(), 3u);
    EXPECT_FALSE(reports[1].complete);
    EXPECT_TRUE(reports[2].complete);
}

TEST(WorldView, PicturesOfAnySizeFollowOneAnother) {
    const reference::Scene scene = reference::makeMixedScene(200, 96, 64, 3);
    WorldScene world(scene.gaussians);
    for (const glm::ivec2 size : {glm::ivec2(96, 64), {40, 30}, {97, 65}, {200, 20}, {1, 1}, {96, 64}}) {
        const Camera camera = resized(scene.camera, size.x, size.y);
        EXPECT_EQ(world.draw(camera), rendered(scene.gaussians, camera)) << size.x << "x" << size.y;
    }
}

TEST(WorldView, ModelsMayComeAndGoBetweenPicturesInFlight) {
    const reference::Scene scene = reference::makeMixedScene(300, 96, 64, 3);
    const Gaussians &all = scene.gaussians, first = part(all, 0, 100), last = part(all, 200, 300);
    WorldScene world(first);
    for (int i = 0; i < 5; ++i) world.view.draw(scene.camera);
    const World::Id middle = world.world.add("middle", part(all, 100, 200));
    world.view.draw(scene.camera);
    world.world.add("last", last);
    EXPECT_EQ(world.draw(scene.camera), rendered(all, scene.camera));
    world.world.remove(middle);
    Gaussians both = first;
    both.means.insert(both.means.end(), last.means.begin(), last.means.end());
    both.rotations.insert(both.rotations.end(), last.rotations.begin(), last.rotations.end());
    both.logScales.insert(both.logScales.end(), last.logScales.begin(), last.logScales.end());
    both.logitOpacities.insert(both.logitOpacities.end(), last.logitOpacities.begin(), last.logitOpacities.end());
    both.sh.insert(both.sh.end(), last.sh.begin(), last.sh.end());
    EXPECT_EQ(world.draw(scene.camera), rendered(both, scene.camera));
}

TEST(WorldView, UnknownNamesInTheSettingsAreRefused) {
    const reference::Scene scene = reference::makeMixedScene(10, 16, 16);
    WorldScene world(scene.gaussians);
    EXPECT_THROW(world.draw(scene.camera, "colours"), InputError);
    world.view.settings.colourMap = "grey";
    EXPECT_THROW(world.draw(scene.camera, "depth"), InputError);
    world.view.settings.colourMap = "viridis";
    EXPECT_EQ(world.draw(scene.camera, "colour"), rendered(scene.gaussians, scene.camera));
}

}  // namespace
}  // namespace splat
