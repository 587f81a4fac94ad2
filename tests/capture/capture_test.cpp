#include <splatwright/gpu/capture.h>

#include <optional>

#include <gtest/gtest.h>

#include <splatwright/render/renderer.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/step/trainer.h>
#include "reference/scenes.h"
#include "support/test_device.h"

namespace splat {
namespace {

// The first test: RenderDoc stays in a process that has loaded it.
TEST(Capture, WithoutRenderDocTheUserIsToldWhatIsMissing) {
    const gpu::Device device(testDeviceOptions());
    try {
        gpu::Capture capture("nowhere");
        FAIL() << "captures without RenderDoc";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("RenderDoc"), std::string::npos) << e.what();
    }
}

TEST(Capture, ATrainingStepIsHandedToRenderDocAndCounts) {
    gpu::Capture::prepare();
    gpu::Device device(testDeviceOptions());
    const primitives::RadixSort sort(device);
    const reference::Scene scene = reference::makeMixedScene(40, 48, 32, 4);
    GaussianModel model(device, static_cast<uint32_t>(scene.gaussians.count()));
    model.upload(device, scene.gaussians);
    const Image8 picture = quantised(Renderer(device, sort).render(model, scene.camera, glm::vec3(0), 3));
    TrainSettings settings;
    settings.steps = 3;
    Trainer trainer(device, sort, settings, scene.gaussians, {{"0", scene.camera, picture}}, 1.1);
    trainer.run(1, [](const StepReport&) { return true; });
    std::optional<gpu::Capture> capture;
    try {
        capture.emplace(std::filesystem::temp_directory_path() / "splat_capture_test");
    } catch (const Error& e) {
        GTEST_SKIP() << e.what();
    }
    const std::filesystem::path file = trainer.captureStep(*capture);
    EXPECT_EQ(trainer.stepsDone(), 2u);
    EXPECT_GT(std::filesystem::file_size(file), 10'000u);
    std::filesystem::remove(file);
    trainer.run(3, [](const StepReport&) { return true; });
    EXPECT_EQ(trainer.stepsDone(), 3u);
}

}  // namespace
}  // namespace splat
