#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <splatwright/render/backward.h>
#include <splatwright/shared/training.h>

namespace splat {

/// Returns the camera with a pose offset applied.
Camera movedCamera(const Camera& camera, const shared::PoseOffset& offset);

/// Refines the poses of training cameras: one shared::PoseOffset per view, initially zero, optimised by Adam. Needs no other gradients than those
/// of the blend's backward pass. Keeps `views`, which the forward pass reads, up to date.
class Poses {
public:
    /// `views`: shared::ViewParameters of the dataset's cameras; must outlive this.
    Poses(gpu::Device& device, const gpu::Buffer& views, size_t count);

    /// Records the camera's gradient. Call between the blend's backward pass and the update of the Gaussians.
    void recordGradient(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const BackwardBuffers& gradients,
                        const ViewSelection& view) const;
    /// Records the camera's step of Adam; a no-op while the frame state is halted. Call after the update, which needs the old camera.
    void recordStep(gpu::Commands& commands, const ViewSelection& view, const FrameBuffers& frame, gpu::BufferSlice step) const;

    /// Returns the refined cameras for the given initial ones, in the same frame.
    std::vector<Camera> refined(std::span<const Camera> start) const;
    /// Persistent buffers for checkpoints, with their names.
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const;

private:
    gpu::Device& device_;
    const gpu::Buffer* views_;
    gpu::Buffer startViews_;
    gpu::Buffer offsets_;      ///< shared::PoseOffset
    gpu::Buffer moments_;      ///< shared::Moments3, translation and rotation per view
    gpu::Buffer corrections_;  ///< vec2 per view: 1 - beta^t of both moments
    gpu::Buffer partials_;
};

}  // namespace splat
