#pragma once

#include <splatwright/gpu/commands.h>
#include <splatwright/train/evaluate/lpips_network.h>

namespace splat {

// Commands for one layer of an LPIPS network and one image. Features are float32, one plane of `size` pixels per channel.

struct LpipsConvolution {
    gpu::BufferSlice input, weights, biases, output;
};
/// Convolves with bias and ReLU; `size` is the input's, after any pooling.
void recordConvolution(gpu::Commands& commands, const LpipsLayer& layer, glm::uvec2 size, const LpipsConvolution& buffers);

/// Max pooling of the layer's inputs.
void recordPooling(gpu::Commands& commands, const LpipsLayer& layer, glm::uvec2 size, gpu::BufferSlice input, gpu::BufferSlice output);

struct LpipsComparison {
    gpu::BufferSlice first, second, head;
    gpu::BufferSlice groupSums;  ///< distanceGroups() floats, whose sum over pixels is the distance before averaging
};
void recordDistance(gpu::Commands& commands, uint32_t channels, glm::uvec2 size, const LpipsComparison& buffers);
uint32_t distanceGroups(glm::uvec2 size);

}  // namespace splat
