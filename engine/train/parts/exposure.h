#pragma once

#include <splatwright/train/parts/step_part.h>

namespace splat {

/// Exposure and white balance per view: colour' = E * (colour, 1) with a 3x4 matrix E, initially the identity, optimised by Adam as in Inria's
/// trainer, but so that the mean of all views stays the identity. Applied between blend and loss during training only.
class Exposure : public StepPart {
public:
    /// `number`: of the learning rate in StepParameters::parts.
    Exposure(gpu::Device& device, size_t views, uint32_t pixels, uint32_t number);

    gpu::BufferSlice recordColours(gpu::Commands& commands, const StepJob& job) const override;
    /// dL by the exposed colours -> dL by the render in place, and the gradient of the view's matrix, summed in a fixed order.
    void recordAfterLoss(gpu::Commands& commands, const StepJob& job) const override;
    /// The view's step of Adam.
    void recordAfterUpdate(gpu::Commands& commands, const StepJob& job) const override;
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const override;

private:
    uint32_t views_, number_;
    gpu::Buffer exposures_;    ///< vec4, three rows per view
    gpu::Buffer moments_;      ///< shared::Moments4, three rows per view
    gpu::Buffer corrections_;  ///< vec2 per view: 1 - beta^t of both moments
    gpu::Buffer exposed_, partials_;
};

}  // namespace splat
