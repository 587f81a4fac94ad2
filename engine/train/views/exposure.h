#pragma once

#include <string>
#include <utility>
#include <vector>

#include <splatwright/render/forward.h>
#include <splatwright/shared/training.h>

namespace splat {

/// Exposure and white balance per view: colour' = E * (colour, 1) with a 3x4 matrix E, initially the identity, optimised by Adam as in Inria's
/// trainer, but so that the mean of all views stays the identity. Applied between blend and loss during training only.
class Exposure {
public:
    Exposure(gpu::Device& device, size_t views, uint32_t pixels);

    /// Records colours -> exposed(), both float3 per pixel.
    void recordApply(gpu::Commands& commands, const ViewSelection& view, gpu::BufferSlice colours) const;
    gpu::BufferSlice exposed() const { return exposed_; }
    /// Records dL/dexposed -> dL/dcolour in place, and the gradient of the view's matrix, summed in a fixed order.
    void recordGradient(gpu::Commands& commands, const ViewSelection& view, gpu::BufferSlice colours, gpu::BufferSlice gradients) const;
    /// Records the view's step of Adam; a no-op while the frame state is halted.
    void recordStep(gpu::Commands& commands, const ViewSelection& view, const FrameBuffers& frame, gpu::BufferSlice step) const;

    /// Persistent buffers for checkpoints, with their names.
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const;

private:
    uint32_t views_;
    gpu::Buffer exposures_;    ///< vec4, three rows per view
    gpu::Buffer moments_;      ///< shared::Moments4, three rows per view
    gpu::Buffer corrections_;  ///< vec2 per view: 1 - beta^t of both moments
    gpu::Buffer exposed_, partials_;
};

}  // namespace splat
