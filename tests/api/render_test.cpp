#include <splatwright/render.h>

#include <stdexcept>

#include <gtest/gtest.h>

#include "api/library.h"
#include "cli/run.h"

namespace splatwright {
namespace {

using namespace test;
using splat::test::Scratch;

std::vector<Camera> circle(size_t views) { return orbit(someSplats(60, 2), views, 48, 36); }

TEST(LibraryRenderer, DrawsAsTheProgramDoes) {
    const Scratch scratch;
    for (const bool antialiased : {false, true}) {
        Splats splats = someSplats(60, 2);
        splats.antialiased = antialiased;
        writeSplats(scratch.path() / "splats.ply", splats);
        std::vector<NamedCamera> cameras;
        for (const Camera& camera : circle(3)) cameras.push_back({"view_" + std::to_string(cameras.size()), camera});
        writeCameras(scratch.path() / "cameras.json", cameras);
        splat::test::expectSuccess(
            splat::test::splatwright({"render", scratch.path() / "splats.ply", "--camera", scratch.path() / "cameras.json", "--background",
                                      "0.2,0.4,0.6", "-o", scratch.path() / "out"}));
        Renderer renderer(testDevice(), splats);
        for (const NamedCamera& named : cameras) {
            const Image8 image = quantised(renderer.render(named.camera, {.background = {0.2f, 0.4f, 0.6f}}));
            const Image8 file = readImage(scratch.path() / "out" / (named.name + ".png"));
            EXPECT_EQ(image.width, file.width);
            EXPECT_EQ(image.pixels, file.pixels) << named.name;
        }
    }
}

TEST(LibraryRenderer, DrawsEachImageOfAPathAsAlone) {
    const Splats splats = someSplats(60, 2);
    const std::vector<Camera> path = circle(5);
    std::vector<ImageF> images;
    Renderer renderer(testDevice(), splats);
    const size_t given = renderer.renderPath(path, [&](size_t index, ImageF image) {
        EXPECT_EQ(index, images.size());
        images.push_back(std::move(image));
        return true;
    });
    ASSERT_EQ(given, 5u);
    for (size_t i = 0; i < path.size(); ++i) EXPECT_EQ(images[i].pixels, Renderer(testDevice(), splats).render(path[i]).pixels) << i;
    EXPECT_NE(images[0].pixels, images[1].pixels);
}

TEST(LibraryRenderer, ReusesItsMemoryFromImageToImage) {
    const uint64_t before = testDevice().memoryInUse();
    {
        Renderer renderer(testDevice(), someSplats(300, 1));
        std::vector<uint64_t> inUse;
        renderer.renderPath(circle(6), [&](size_t, const ImageF&) {
            inUse.push_back(testDevice().memoryInUse());
            return true;
        });
        EXPECT_EQ(inUse, std::vector(6, inUse[0]));
        renderer.setSplats(someSplats(200, 3));
        renderer.render(frontCamera());
        EXPECT_EQ(testDevice().memoryInUse(), inUse[0]);
    }
    EXPECT_EQ(testDevice().memoryInUse(), before);
}

TEST(LibraryRenderer, ForgetsTheSplatsOfBefore) {
    Renderer renderer(testDevice(), someSplats(80, 1));
    for (const auto& [count, degree] : {std::pair<size_t, int>{60, 3}, {20, 0}, {0, 2}, {80, 1}, {200, 2}}) {
        const Splats splats = someSplats(count, degree);
        renderer.setSplats(splats);
        EXPECT_EQ(renderer.render(frontCamera()).pixels, Renderer(testDevice(), splats).render(frontCamera()).pixels) << count;
    }
}

TEST(LibraryRenderer, ShowsTheBackgroundWhereNothingIs) {
    const ImageF image = Renderer(testDevice(), {}).render(frontCamera(5, 4), {.background = {0.25f, 0.5f, 0.75f}});
    EXPECT_EQ(image.channels, 3);
    ASSERT_EQ(image.pixels.size(), 60u);
    for (size_t i = 0; i < 60; ++i) EXPECT_EQ(image.pixels[i], 0.25f * static_cast<float>(i % 3 + 1));
}

TEST(LibraryRenderer, EndsAPathWhereItsCallerSaysSo) {
    Renderer renderer(testDevice(), someSplats(10, 0));
    size_t calls = 0;
    EXPECT_EQ(renderer.renderPath(circle(5), [&](size_t index, const ImageF&) { return ++calls, index < 1; }), 2u);
    EXPECT_EQ(calls, 2u);
    EXPECT_EQ(renderer.renderPath({}, [](size_t, const ImageF&) { return true; }), 0u);
    EXPECT_THROW(renderer.renderPath(circle(2), [](size_t, const ImageF&) -> bool { throw std::bad_alloc(); }), std::bad_alloc);
    EXPECT_EQ(renderer.render(frontCamera()).width, 48);
}

TEST(LibraryRenderer, RefusesWhatIsNotValid) {
    Renderer renderer(testDevice(), someSplats(10, 0));
    const ImageF before = renderer.render(frontCamera());
    for (const BadCamera& bad : badCameras()) {
        SCOPED_TRACE(bad.name);
        std::vector<Camera> path = circle(3);
        bad.spoil(path[1]);
        Camera camera = frontCamera();
        bad.spoil(camera);
        expectError<InputError>([&] { renderer.render(camera); }, {"render", bad.message});
        const auto never = [](size_t, const ImageF&) { return ADD_FAILURE(), true; };
        expectError<InputError>([&] { renderer.renderPath(path, never); }, {"camera 1"});
    }
    for (const BadSplats& bad : badSplats()) {
        SCOPED_TRACE(bad.name);
        Splats splats = someSplats(3, 1);
        bad.spoil(splats);
        expectError<InputError>([&] { Renderer(testDevice(), splats); }, {bad.message});
        expectError<InputError>([&] { renderer.setSplats(splats); }, {bad.message});
    }
    expectError<InputError>([&] { renderer.render(frontCamera(), {.background = {0, 0, 1.5f}}); }, {"background is 0, 0, 1.5"});
    expectError<InputError>([&] { renderer.renderPath(circle(1), {}); }, {"onImage is empty"});
    EXPECT_EQ(renderer.render(frontCamera()).pixels, before.pixels);
}

}  // namespace
}  // namespace splatwright
