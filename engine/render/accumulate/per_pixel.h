#pragma once

#include <splatwright/render/accumulate/inputs.h>

namespace splat {

/// Records a method with one thread per pixel by the first of its kernels that the device runs; the last one runs everywhere.
template <class Kernel, class... Fallbacks>
void recordPerPixel(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    if constexpr (sizeof...(Fallbacks) > 0) {
        if (!device.runs(Kernel::info())) {
            recordPerPixel<Fallbacks...>(device, c, job);
            return;
        }
    }
    Kernel k;
    if constexpr (requires { k.gradientFloats; }) {
        k.gradientFloats = job.buffers.gradients.words();
        k.blendFloats = job.buffers.blendSums.words();
    } else {
        k.gradientWords = job.buffers.gradients.words();
        k.blendWords = job.buffers.blendSums.words();
    }
    if constexpr (requires { k.kBalanceThreshold; }) k.kBalanceThreshold = job.balanceThreshold;
    recordTiles(c, k, job, 1);
}

}  // namespace splat
