#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <splatwright/render/backward.h>
#include <splatwright/shared/training.h>

namespace splat {

/// The camera moved by a pose offset.
Camera movedCamera(const Camera& camera, const shared::PoseOffset& offset);

/// Training cameras that move along: a twist a view (three numbers of translation, three of rotation, at first zero) with Adam's step from
/// the gradients that the blend's backward pass leaves anyhow. A row `views` keeps what the forward pass sees up to date.
class Poses {
public:
    /// `views` (shared::ViewParameters, the dataset's at this moment) must outlive this.
    Poses(gpu::Device& device, const gpu::Buffer& views, size_t count);

    /// Records the gradient by the view's camera; between the blend's backward pass and the update of the gaussians.
    void recordGradient(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const BackwardBuffers& gradients,
                        const ViewSelection& view) const;
    /// Records the camera's step; after the update, which needs the old camera. Nothing happens while the frame is halted.
    void recordStep(gpu::Commands& commands, const ViewSelection& view, const FrameBuffers& frame, gpu::BufferSlice step) const;

    /// Where these cameras are now, given where they started, in the same frame.
    std::vector<Camera> refined(std::span<const Camera> start) const;
    /// What lasts from step to step, the views included.
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const;

private:
    gpu::Device& device_;
    const gpu::Buffer* views_;
    gpu::Buffer startViews_;
    gpu::Buffer offsets_;      ///< shared::PoseOffset
    gpu::Buffer moments_;      ///< shared::Moments3, of translation and rotation a view
    gpu::Buffer corrections_;  ///< vec2: 1 - beta^t of both moments, one a view
    gpu::Buffer partials_;
};

}  // namespace splat
