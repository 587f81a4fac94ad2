#pragma once

#include <splatwright/render/frame.h>

namespace splat {

/// A kernel bound to what it shows of the pixels of a frame (shaders/lib/view/show.slang). groundTruth: any words if nothing is compared; show:
/// RenderMode::show.
template <class Kernel>
Kernel withShown(Kernel kernel, const FrameBuffers& frame, gpu::BufferSlice groundTruth, glm::uvec2 size, uint32_t show) {
    kernel.colours = frame.colours;
    kernel.transmittances = frame.transmittances;
    kernel.tileRanges = frame.tileRanges;
    kernel.groundTruth = groundTruth;
    kernel.size = size;
    kernel.kShow = show;
    return kernel;
}

}  // namespace splat
