#include "train/small_runs.h"

#include <gtest/gtest.h>

#include <splatwright/render/renderer.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/evaluate/metrics.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {

std::vector<Photograph> photographsOf(const reference::Scene& scene, int views) {
    gpu::Device& device = testDevice();
    GaussianModel model(device, static_cast<uint32_t>(scene.gaussians.count()));
    model.upload(device, scene.gaussians);
    Renderer renderer(device, testSort());
    std::vector<Photograph> photographs;
    for (int i = 0; i < views; ++i) {
        Camera camera = scene.camera;
        camera.translation.x += 0.05 * i;
        const ImageF picture = renderer.render(model, camera, glm::vec3(0), scene.gaussians.shDegree);
        photographs.push_back({std::to_string(i), camera, quantised(picture)});
    }
    return photographs;
}

Gaussians blurred(Gaussians gaussians) {
    for (glm::vec3& c : gaussians.sh) c *= 0.3f;
    for (float& o : gaussians.logitOpacities) o = 0;
    return gaussians;
}

TrainSettings shortRun(uint32_t steps) {
    TrainSettings settings;
    settings.strategy = "fixed";
    settings.steps = steps;
    settings.shDegreeInterval = 20;
    return settings;
}

TrainSettings refiningRun(std::string_view strategy, uint32_t steps) {
    TrainSettings settings = defaultsOf(strategy);
    settings.steps = steps;
    settings.accumulate = "fixed-point";
    settings.maxSplats = 900;
    settings.densifyFrom = 1;
    settings.densifyInterval = 6;
    return settings;
}

TrainedRun train(const Gaussians& start, const std::vector<Photograph>& photographs, const TrainSettings& settings,
                 std::optional<uint32_t> steps) {
    Trainer trainer(testDevice(), testSort(), settings, start, photographs, 1.1);
    TrainedRun run;
    trainer.run(steps.value_or(settings.steps), [&](const StepReport& report) {
        run.losses.push_back(report.loss);
        return true;
    });
    run.gaussians = trainer.model().download(testDevice(), 3);
    run.costs = trainer.costs();
    return run;
}

void expectSameBits(const Gaussians& a, const Gaussians& b) {
    EXPECT_EQ(a.means, b.means);
    EXPECT_EQ(a.rotations, b.rotations);
    EXPECT_EQ(a.logScales, b.logScales);
    EXPECT_EQ(a.logitOpacities, b.logitOpacities);
    EXPECT_EQ(a.sh, b.sh);
}

}  // namespace splat
