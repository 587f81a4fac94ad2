// Drops splats that no view of a dataset shows.
#include <filesystem>

#include <splatwright/convert/blend_weights.h>
#include <splatwright/convert/operation.h>
#include <splatwright/core/error.h>
#include <splatwright/scene/datasets/frame.h>
#include <splatwright/scene/gaussians/selected.h>
#include <splatwright/scene/photographs/undistort.h>

namespace splat {
namespace {

/// Undistorted views in the training frame, so that the near plane is the same as in training. Those held out for testing are among them: what
/// only they show is no floater.
std::vector<Camera> viewsOf(const Dataset& dataset, const TrainingFrame& frame) {
    std::vector<Camera> views;
    for (const View& view : dataset.views)
        views.push_back(toFrame(frame, undistortedCamera(view.camera, view.distortion, dataset.undistort)));
    return views;
}

Change seen(std::string_view data, float least) {
    if (!isDataset(data)) throw InputError("expected the folder of a dataset with poses, such as {}", datasetFormatNames());
    return [data = std::filesystem::path(data), least](Gaussians& gaussians, const LazyDevice& device) {
        const Dataset dataset = loadDataset(data);
        const TrainingFrame frame = trainingFrame(dataset.views);
        const std::vector<float> weights =
            largestBlendWeights(device.device(), device.sort(), toFrame(frame, gaussians), viewsOf(dataset, frame));
        gaussians = filtered(std::move(gaussians), [&](const Gaussians&, size_t i) { return weights[i] >= least; });
    };
}

}  // namespace

extern const SplatOperation kSeenOperation{
    .name = "seen",
    .value = "DATA",
    .help = "Drop splats that no view of this dataset shows; it must be the one they were trained on, or have its coordinates",
    .number = {.name = "seen-weight",
               .min = 1e-6F,
               .max = 0.99F,
               .initial = kLeastShownWeight,
               .help = "Blending weight in a pixel from which on it shows a splat"},
    .ofTextAndNumber = seen};

}  // namespace splat
