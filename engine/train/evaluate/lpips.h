#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <splatwright/core/image.h>
#include <splatwright/gpu/device.h>
#include <splatwright/train/evaluate/lpips_weights.h>

namespace splat {

/// Learned perceptual image patch similarity (LPIPS; Zhang et al. 2018, version 0.1 with linear heads) on the GPU. Both images pass through the
/// network layer by layer, so that three buffers suffice for the features.
class Lpips {
public:
    Lpips(gpu::Device& device, const LpipsWeights& weights);

    /// Throws InputError naming the view if its image has fewer pixels along a side than the network needs.
    void checkSize(std::string_view view, int width, int height) const;

    /// Distance of two RGB images of the same size that passes checkSize(); 0 for equal images, and the same bits each time. Throws OutOfMemory if
    /// a layer's features exceed the device's memory or its largest binding (VGG16: 256 bytes per pixel).
    double distance(const Image8& render, const Image8& photograph);

private:
    struct Layer {
        const LpipsLayer* shape;
        gpu::Buffer weights, biases, head;
    };

    void reserve(glm::uvec2 size);
    void uploadImage(const Image8& image, const gpu::Buffer& to);
    /// Passes both images through a layer; `size` becomes that of its outputs.
    void runLayer(const Layer& layer, glm::uvec2& size);

    gpu::Device& device_;
    const LpipsNetwork& network_;
    std::vector<Layer> layers_;
    std::array<gpu::Buffer, 3> features_;  ///< of the render, of the photograph, and the next output
    gpu::Buffer groupSums_;
};

}  // namespace splat
