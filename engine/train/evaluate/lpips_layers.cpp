#include <splatwright/train/evaluate/lpips_layers.h>

#include <splatwright/shared/evaluate.h>
#include "kernels/convolve.h"
#include "kernels/feature_distance.h"
#include "kernels/max_pool.h"

namespace splat {

namespace {

uint64_t divideUp(uint64_t things, uint64_t perGroup) { return (things + perGroup - 1) / perGroup; }

uint32_t pixelsOf(glm::uvec2 size) { return size.x * size.y; }

}  // namespace

void recordConvolution(gpu::Commands& commands, const LpipsLayer& layer, glm::uvec2 size, const LpipsConvolution& buffers) {
    const glm::uvec2 outputSize = layer.windows(size);
    const kernels::convolve kernel{.input = buffers.input,
                                   .weights = buffers.weights,
                                   .biases = buffers.biases,
                                   .output = buffers.output,
                                   .inputSize = size,
                                   .inputChannels = layer.inputs,
                                   .outputSize = outputSize,
                                   .outputChannels = layer.outputs,
                                   .window = layer.window,
                                   .stride = layer.stride,
                                   .padding = layer.padding};
    const uint64_t channelTiles = divideUp(layer.outputs, shared::kConvolutionChannels);
    commands.dispatchGroups(kernel, channelTiles * divideUp(pixelsOf(outputSize), shared::kConvolutionPixels));
}

void recordPooling(gpu::Commands& commands, const LpipsLayer& layer, glm::uvec2 size, gpu::BufferSlice input, gpu::BufferSlice output) {
    const glm::uvec2 outputSize = layer.pooled(size);
    const kernels::max_pool kernel{.input = input,
                                   .output = output,
                                   .inputSize = size,
                                   .outputSize = outputSize,
                                   .channels = layer.inputs,
                                   .window = layer.pooledWindow,
                                   .stride = kLpipsPoolStride};
    commands.dispatch(kernel, uint64_t{layer.inputs} * pixelsOf(outputSize));
}

void recordDistance(gpu::Commands& commands, uint32_t channels, glm::uvec2 size, const LpipsComparison& buffers) {
    const kernels::feature_distance kernel{.first = buffers.first,
                                           .second = buffers.second,
                                           .head = buffers.head,
                                           .groupSums = buffers.groupSums,
                                           .pixels = pixelsOf(size),
                                           .channels = channels};
    commands.dispatchGroups(kernel, distanceGroups(size));
}

uint32_t distanceGroups(glm::uvec2 size) { return static_cast<uint32_t>(divideUp(pixelsOf(size), shared::kBlock)); }

}  // namespace splat
