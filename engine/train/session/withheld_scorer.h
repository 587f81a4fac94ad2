#pragma once

#include <optional>
#include <span>
#include <vector>

#include <splatwright/render/renderer.h>
#include <splatwright/train/evaluate/device_psnr.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

/// Scores the withheld views of a training, again and again.
class WithheldScorer {
public:
    /// The views have cameras in the training frame; `background` is the trainer's.
    WithheldScorer(gpu::Device& device, const primitives::RadixSort& sort, std::span<const Photograph> views, glm::vec3 background);

    /// PSNR of each view with the trainer's present model, dB. Draws beside the memory of training steps, which then go on as they were; where there is
    /// not enough for both, in place of it (Trainer::releaseFrame()).
    std::vector<double> psnrs(Trainer& trainer);

private:
    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    DevicePsnr views_;
    std::optional<Renderer> renderer_;
};

}  // namespace splat
