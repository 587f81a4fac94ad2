// Pictures in flight: what they show and tell is what one at a time would.
#include "render/frame_loop.h"

#include <gtest/gtest.h>

#include "reference/scenes.h"
#include "render/renderer.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

constexpr glm::vec3 kBackground(0.1f, 0.2f, 0.3f);

struct Bench {
    explicit Bench(size_t splats) : scene(reference::makeMixedScene(splats, 96, 64, 3)), model(testDevice(), count()) {
        model.upload(testDevice(), scene.gaussians);
    }
    uint32_t count() const { return static_cast<uint32_t>(scene.gaussians.count()); }
    /// The scene's camera, a little further to the side each frame.
    Camera camera(int frame) const {
        Camera moved = scene.camera;
        moved.translation.x += 0.02 * frame;
        return moved;
    }
    FrameLoop loop() const { return FrameLoop(testDevice(), testSort(), model, {96, 64}, kBackground, 3); }

    reference::Scene scene;
    GaussianModel model;
};

std::vector<float> pictureOf(const FrameLoop& loop) { return testDevice().download<float>(loop.colours(), 96 * 64 * 3); }

TEST(FrameLoop, TheLastPictureIsTheRenderersToTheBit) {
    const Bench bench(200);
    Renderer renderer(testDevice(), testSort());
    FrameLoop loop = bench.loop();
    for (const int frames : {1, 2, 3, 4, 9}) {
        for (int i = 0; i < frames; ++i) loop.draw(bench.camera(i));
        loop.finish();
        EXPECT_EQ(pictureOf(loop), renderer.render(bench.model, bench.camera(frames - 1), kBackground, 3).pixels) << frames;
    }
}

TEST(FrameLoop, EveryPictureIsReportedOnceInOrder) {
    const Bench bench(200);
    FrameLoop loop = bench.loop();
    std::vector<FrameReport> all;
    for (int i = 0; i < 10; ++i) {
        loop.draw(bench.camera(i));
        for (FrameReport& r : loop.reports()) all.push_back(std::move(r));
    }
    loop.finish();
    for (FrameReport& r : loop.reports()) all.push_back(std::move(r));
    ASSERT_EQ(all.size(), 10u);
    for (size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].frame, i);
        EXPECT_TRUE(all[i].complete);
        EXPECT_GT(all[i].visible, 100u);
        EXPECT_GE(all[i].instances, all[i].visible);
        ASSERT_EQ(all[i].stages.size(), 6u);
        EXPECT_EQ(all[i].stages[2].first, "depth sort");
    }
}

TEST(FrameLoop, APictureThatDoesNotFitIsToldAndTheNextOnesAreWhole) {
    Bench bench(40);
    for (glm::vec3& scale : bench.scene.gaussians.logScales) scale += 2.5f;  // each in many tiles
    bench.model.upload(testDevice(), bench.scene.gaussians);
    FrameLoop loop = bench.loop();
    const uint32_t before = loop.capacity().instances;
    for (int i = 0; i < 8; ++i) loop.draw(bench.camera(0));
    loop.finish();
    const auto reports = loop.reports();
    ASSERT_EQ(reports.size(), 8u);
    EXPECT_FALSE(reports.front().complete);
    EXPECT_TRUE(reports.back().complete);
    EXPECT_GT(reports.back().instances, before);
    Renderer renderer(testDevice(), testSort());
    EXPECT_EQ(pictureOf(loop), renderer.render(bench.model, bench.camera(0), kBackground, 3).pixels);
}

}  // namespace
}  // namespace splat
