// Gaussians that are small beside a pixel: what the picture at one size says of that at another, with the 2D filter and without.
#include <gtest/gtest.h>

#include <splatwright/render/renderer.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/step/trainer.h>
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

constexpr int kFactor = 4;

/// Faint splats of a few pixels in the large picture, so of half a pixel in the small one.
reference::Scene smallSplats() {
    reference::Scene scene = reference::makeMixedScene(300, 256, 192, 3);
    for (glm::vec3& scale : scene.gaussians.logScales) scale -= 1;
    for (float& logit : scene.gaussians.logitOpacities) logit = -2;
    return scene;
}

ImageF render(const Gaussians& gaussians, const Camera& camera) {
    GaussianModel model(testDevice(), static_cast<uint32_t>(gaussians.count()));
    model.upload(testDevice(), gaussians);
    Renderer renderer(testDevice(), testSort());
    return renderer.render(model, camera, glm::vec3(0), gaussians.shDegree);
}

/// Means of kFactor x kFactor pixels.
ImageF shrunk(const ImageF& image) {
    ImageF small(image.width / kFactor, image.height / kFactor, 3);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            for (size_t k = 0; k < 3; ++k) small.at(x / kFactor, y / kFactor)[k] += image.at(x, y)[k] / (kFactor * kFactor);
    return small;
}

double brightness(const ImageF& image) {
    double sum = 0;
    for (const float value : image.pixels) sum += value;
    return sum / static_cast<double>(image.pixels.size());
}

TEST(Antialiased, APictureAtAQuarterOfTheSizeIsAsBright) {
    reference::Scene scene = smallSplats();
    const Camera small = resized(scene.camera, scene.camera.width / kFactor, scene.camera.height / kFactor);
    const double plain = brightness(render(scene.gaussians, small)) / brightness(render(scene.gaussians, scene.camera));
    scene.gaussians.antialiased = true;
    const double filtered = brightness(render(scene.gaussians, small)) / brightness(render(scene.gaussians, scene.camera));
    EXPECT_GT(plain, 1.3);
    EXPECT_NEAR(filtered, 1, 0.1);
}

TEST(Antialiased, APictureAtAQuarterOfTheSizeIsNearTheMeanOfTheLarge) {
    reference::Scene scene = smallSplats();
    const Camera small = resized(scene.camera, scene.camera.width / kFactor, scene.camera.height / kFactor);
    const auto score = [&] {
        return psnr(quantised(render(scene.gaussians, small)), quantised(shrunk(render(scene.gaussians, scene.camera))));
    };
    const double plain = score();
    scene.gaussians.antialiased = true;
    EXPECT_GT(score(), plain + 6);
}

TEST(Antialiased, TheTrainedModelSaysSo) {
    const reference::Scene scene = reference::makeMixedScene(20, 32, 32, 3);
    const std::vector<Photograph> photographs{{"a", scene.camera, quantised(render(scene.gaussians, scene.camera))}};
    for (const bool antialiased : {false, true}) {
        TrainSettings settings;
        settings.strategy = "fixed";
        settings.steps = 3;
        settings.antialiased = antialiased;
        Trainer trainer(testDevice(), testSort(), settings, scene.gaussians, photographs, 1.1);
        trainer.run(3, [](const StepReport&) { return true; });
        EXPECT_EQ(trainer.model().download(testDevice(), 3).antialiased, antialiased);
    }
}

// The photographs come from an antialiased model, training starts from larger and fainter splats.
TEST(Antialiased, TrainingLearnsSmallSplats) {
    reference::Scene scene = reference::makeMixedScene(60, 64, 48, 4);
    for (glm::vec3& scale : scene.gaussians.logScales) scale -= 0.7f;
    scene.gaussians.antialiased = true;
    const std::vector<Photograph> photographs{{"a", scene.camera, quantised(render(scene.gaussians, scene.camera))}};
    Gaussians start = scene.gaussians;
    for (glm::vec3& scale : start.logScales) scale += 0.3f;
    for (glm::vec3& c : start.sh) c *= 0.3f;
    TrainSettings settings;
    settings.strategy = "fixed";
    settings.steps = 150;
    settings.shDegreeInterval = 20;
    settings.antialiased = true;
    Trainer trainer(testDevice(), testSort(), settings, start, photographs, 1.1);
    std::vector<double> losses;
    trainer.run(settings.steps, [&](const StepReport& report) {
        losses.push_back(report.loss);
        return true;
    });
    EXPECT_LT(losses.back(), 0.3 * losses.front());
}

}  // namespace
}  // namespace splat
