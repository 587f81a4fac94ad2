#pragma once

#include <splatwright/train/parts/step_part.h>

namespace splat {

/// Returns the camera with a pose offset applied.
Camera movedCamera(const Camera& camera, const shared::PoseOffset& offset);

/// Refines the poses of training cameras: one shared::PoseOffset per view, initially zero, optimised by Adam. Needs no other gradients than those
/// of the blend's backward pass. Keeps the views, which the forward pass reads, up to date.
class Poses : public StepPart {
public:
    /// `views`: shared::ViewParameters of the dataset's cameras, per level; `number`: of the learning rate in StepParameters::parts.
    Poses(gpu::Device& device, std::span<const gpu::Buffer> views, std::span<const Camera> cameras, uint32_t number);

    /// Poses are refined at level 0; a smaller image's camera takes the pose from there.
    void recordBegin(gpu::Commands& commands, const StepJob& job) const override;
    /// The camera's gradient.
    void recordAfterBackward(gpu::Commands& commands, const StepJob& job) const override;
    /// The camera's step of Adam, after the update, which needs the old camera.
    void recordAfterUpdate(gpu::Commands& commands, const StepJob& job) const override;
    /// Moves the views back to where they were.
    void end() const override;
    std::vector<Camera> movedCameras() const override;
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const override;

private:
    void recordPose(gpu::Commands& commands, const gpu::Buffer& from, size_t view, size_t level) const;

    gpu::Device& device_;
    std::span<const gpu::Buffer> views_;
    std::span<const Camera> cameras_;
    uint32_t number_;
    gpu::Buffer startViews_;
    gpu::Buffer offsets_;      ///< shared::PoseOffset
    gpu::Buffer moments_;      ///< shared::Moments3, translation and rotation per view
    gpu::Buffer corrections_;  ///< vec2 per view: 1 - beta^t of both moments
    gpu::Buffer partials_;
};

}  // namespace splat
