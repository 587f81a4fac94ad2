#pragma once

#include <string>
#include <utility>
#include <vector>

#include <splatwright/render/forward.h>
#include <splatwright/shared/training.h>

namespace splat {

/// What each photograph's exposure and white balance do to the picture: colour' = E * (colour, 1) with a 3x4 matrix a view, which starts as
/// the identity and is trained along (as Inria's trainer has it). It stands between the blend and the loss; renders for people go without.
class Exposure {
public:
    Exposure(gpu::Device& device, size_t views, uint32_t pixels);

    /// Records colours -> exposed(); both float3 a pixel.
    void recordApply(gpu::Commands& commands, const ViewSelection& view, gpu::BufferSlice colours) const;
    gpu::BufferSlice exposed() const { return exposed_; }
    /// Records dL/dexposed -> dL/dcolour in place, and the view's own gradient, summed in a fixed order.
    void recordGradient(gpu::Commands& commands, const ViewSelection& view, gpu::BufferSlice colours, gpu::BufferSlice gradients) const;
    /// Records the view's step of Adam; nothing happens while the frame is halted.
    void recordStep(gpu::Commands& commands, const ViewSelection& view, const FrameBuffers& frame, gpu::BufferSlice step) const;

    /// What lasts from step to step.
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const;

private:
    gpu::Buffer exposures_;    ///< vec4, three rows a view
    gpu::Buffer moments_;      ///< shared::Moments4, likewise
    gpu::Buffer corrections_;  ///< vec2: 1 - beta^t of both moments, one a view
    gpu::Buffer exposed_, partials_;
};

}  // namespace splat
