#pragma once

#include <span>
#include <vector>

#include <splatwright/train/evaluate/evaluate.h>

namespace splat {

/// Compares a model with the same photographs again and again, on the GPU.
class DevicePsnr {
public:
    /// Keeps a copy of the photographs' pixels on the device, over the background.
    DevicePsnr(gpu::Device& device, std::span<const Photograph> photographs, glm::vec3 background);

    /// viewPsnrs() of the photographs without matched colours: the same numbers, because errors are summed as integers.
    std::vector<double> perView(Renderer& renderer, const EvaluatedModel& model) const;

private:
    struct View {
        uint32_t firstPixel = 0, pixels = 0;
        uint32_t firstGroup = 0, groups = 0;
    };

    std::vector<Camera> cameras_;
    std::vector<View> views_;  ///< per camera
    gpu::Buffer photographs_;
    gpu::Buffer squaredErrors_;  ///< mapped: a word per group of pixels
};

}  // namespace splat
