#include <splatwright/train/views/poses.h>

#include <cmath>

#include <splatwright/train/reduction.h>
#include "kernels/pose_gradient.h"
#include "kernels/step_pose.h"

namespace splat {

namespace {

glm::dmat3 rotationBy(const glm::dvec3& w) {
    const double angle = glm::length(w);
    if (angle == 0) return glm::dmat3(1);
    const glm::dvec3 axis = w / angle;
    const double c = std::cos(angle), s = std::sin(angle);
    const auto column = [&](const glm::dvec3& v) { return c * v + s * glm::cross(axis, v) + (1 - c) * glm::dot(axis, v) * axis; };
    return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}

}  // namespace

Camera movedCamera(const Camera& camera, const shared::PoseOffset& offset) {
    const glm::dmat3 rotation = rotationBy(offset.rotation);
    Camera moved = camera;
    moved.rotation = rotation * camera.rotation;
    moved.translation = rotation * camera.translation + glm::dvec3(offset.translation);
    return moved;
}

Poses::Poses(gpu::Device& d, const gpu::Buffer& views, size_t count)
    : device_(d),
      views_(&views),
      startViews_(d.buffer<shared::ViewParameters>("views at the start", count)),
      offsets_(d.buffer<shared::PoseOffset>("pose offsets", count)),
      moments_(d.buffer<shared::Moments3>("moments of pose offsets", 2 * count)),
      corrections_(d.buffer<glm::vec2>("bias corrections of pose offsets", count)),
      partials_(d.buffer<glm::vec4>("camera gradient shares", 2 * size_t{shared::kReductionGroups})) {
    d.run("start poses", [&](gpu::Commands& c) {
        c.copy(views, startViews_);
        for (const gpu::Buffer* b : {&offsets_, &moments_, &corrections_}) c.fill(*b, 0);
    });
}

void Poses::recordGradient(gpu::Commands& c, const GaussianModel& model, const FrameBuffers& frame, const BackwardBuffers& gradients,
                           const ViewSelection& view) const {
    const kernels::pose_gradient kernel{.updateCount = gradients.updateCount,
                                        .frame = frame.parameters,
                                        .views = view.views,
                                        .projected = frame.projected,
                                        .partials = partials_,
                                        .tileCounts = frame.tileCounts,
                                        .gradients = gradients.gradients,
                                        .view = view.index,
                                        .kInverseDepth = view.inverseDepths ? 1u : 0u};
    c.dispatchGroups(withModel(kernel, model), reductionGroups(frame.capacity.gaussians));
}

void Poses::recordStep(gpu::Commands& c, const ViewSelection& view, const FrameBuffers& frame, gpu::BufferSlice step) const {
    c.dispatchGroups(kernels::step_pose{.state = frame.state,
                                        .step = step,
                                        .partials = partials_,
                                        .startViews = startViews_,
                                        .offsets = offsets_,
                                        .moments = moments_,
                                        .corrections = corrections_,
                                        .views = *views_,
                                        .view = view.index,
                                        .groups = reductionGroups(frame.capacity.gaussians)},
                     1);
}

std::vector<Camera> Poses::refined(std::span<const Camera> start) const {
    const auto offsets = device_.download<shared::PoseOffset>(offsets_, start.size());
    std::vector<Camera> cameras;
    for (size_t i = 0; i < start.size(); ++i) cameras.push_back(movedCamera(start[i], offsets[i]));
    return cameras;
}

std::vector<std::pair<std::string, const gpu::Buffer*>> Poses::state() const {
    return {{"pose_twists", &offsets_}, {"pose_moments", &moments_}, {"pose_corrections", &corrections_}, {"pose_views", views_}};
}

}  // namespace splat
