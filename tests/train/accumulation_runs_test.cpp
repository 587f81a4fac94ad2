#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/render/renderer.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/step/trainer.h>
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

constexpr uint32_t kSteps = 150;

/// A scene whose runs are compared, with images whose sides are no multiples of a tile's.
struct ComparedScene {
    reference::Scene scene = reference::makeMixedScene(120, 72, 56, 4);
    std::vector<Photograph> photographs = photographsOf(scene, 4);

    TrainedRun train(const std::string& accumulate, uint32_t seed = 42) const {
        TrainSettings settings = shortRun(kSteps);
        settings.accumulate = accumulate;
        settings.seed = seed;
        return splat::train(blurred(scene.gaussians), photographs, settings);
    }
    /// Of all views, as the renderer draws the trained splats.
    double psnrOf(const Gaussians& gaussians) const {
        GaussianModel model(testDevice(), static_cast<uint32_t>(gaussians.count()));
        model.upload(testDevice(), gaussians);
        Renderer renderer(testDevice(), testSort());
        double sum = 0;
        for (const Photograph& p : photographs)
            sum += psnr(quantised(renderer.render(model, p.camera, glm::vec3(0), gaussians.shDegree)), p.image);
        return sum / static_cast<double>(photographs.size());
    }
};

const ComparedScene& comparedScene() {
    static const ComparedScene scene;
    return scene;
}

/// PSNR after training with the deterministic row, whose gradients are exact to 2^-24 or so.
double expectedPsnr() {
    static const double psnr = comparedScene().psnrOf(comparedScene().train("fixed-point").gaussians);
    return psnr;
}

class AccumulationRuns : public testing::TestWithParam<std::string> {};

TEST_P(AccumulationRuns, EndWithTheSameQuality) {
    const TrainedRun run = comparedScene().train(GetParam());
    EXPECT_EQ(run.costs.waitsInSteps, 0u);
    EXPECT_LT(run.losses.back(), 0.5 * run.losses.front());
    EXPECT_NEAR(comparedScene().psnrOf(run.gaussians), expectedPsnr(), 0.05);
}
INSTANTIATE_TEST_SUITE_P(Rows, AccumulationRuns, testing::ValuesIn(accumulationNames()), accumulationTestName);

}  // namespace
}  // namespace splat
