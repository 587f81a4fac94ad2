#pragma once

#include <functional>
#include <span>
#include <vector>

#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/train/evaluate/device_psnr.h>
#include <splatwright/train/evaluate/evaluate.h>
#include <splatwright/train/session/session_data.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

// Results of a trainer, in the dataset's frame. Rendering reuses the memory of training steps (Trainer::releaseFrame()), so that both are never
// allocated at once.

/// The usable splats as Gaussians in 3D.
Gaussians trainedSplats(gpu::Device& device, const Trainer& trainer, const TrainingFrame& frame);

/// The training cameras after pose refinement, named like their views without the extension.
std::vector<NamedView> trainedCameras(const Trainer& trainer, const TrainingData& data);

/// The trained model as it is evaluated.
EvaluatedModel evaluatedModel(const Trainer& trainer);

/// Renders trained splats on one device.
class ResultRenderer {
public:
    ResultRenderer(gpu::Device& device, const primitives::RadixSort& sort, Trainer& trainer);

    /// The trained model from a camera in the training frame.
    Image8 render(const Camera& camera);
    /// Scores on the test views; onRender is called after each with its render.
    Evaluation score(const TrainingData& data, const std::function<void(const Image8&)>& onRender);
    /// The score of one image with its camera in the training frame.
    ViewScore score(const Photograph& image);
    /// viewPsnrs() of images with their cameras in the training frame, after matching colours.
    std::vector<double> matchedPsnrs(std::span<const Photograph> images) { return viewPsnrs(renderer_, model_, images, true); }
    /// The same without matching, of images that are on the device.
    std::vector<double> psnrs(const DevicePsnr& images) { return images.perView(renderer_, model_); }
    /// strip.png: test views, or training views if there are none.
    Image8 strip(const SessionData& data);

private:
    Renderer renderer_;
    EvaluatedModel model_;
};

}  // namespace splat
