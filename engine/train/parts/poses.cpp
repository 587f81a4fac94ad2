#include <splatwright/train/parts/poses.h>

#include <cmath>
#include <cstddef>

#include <splatwright/train/loss/reduction.h>
#include <splatwright/train/parts/pose_settings.h>
#include <splatwright/train/settings/decayed_rate.h>
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

Poses::Poses(gpu::Device& d, std::span<const gpu::Buffer> views, std::span<const Camera> cameras, uint32_t number)
    : device_(d),
      views_(views),
      cameras_(cameras),
      number_(number),
      startViews_(d.buffer<shared::ViewParameters>("views at the start", cameras.size())),
      offsets_(d.buffer<shared::PoseOffset>("pose offsets", cameras.size())),
      moments_(d.buffer<shared::Moments3>("moments of pose offsets", 2 * cameras.size())),
      corrections_(d.buffer<glm::vec2>("bias corrections of pose offsets", cameras.size())),
      partials_(d.buffer<glm::vec4>("camera gradient shares", 2 * size_t{shared::kReductionGroups})) {
    d.run("start poses", [&](gpu::Commands& c) {
        c.copy(views[0], startViews_);
        for (const gpu::Buffer* b : {&offsets_, &moments_, &corrections_}) c.fill(*b, 0);
    });
}

void Poses::recordBegin(gpu::Commands& c, const StepJob& job) const {
    if (job.level > 0) recordPose(c, views_[0], job.view.index, job.level);
}

void Poses::recordPose(gpu::Commands& c, const gpu::Buffer& from, size_t view, size_t level) const {
    constexpr VkDeviceSize kPoseBytes = offsetof(shared::ViewParameters, focal);
    const VkDeviceSize offset = view * sizeof(shared::ViewParameters);
    c.copy(from.slice(offset, kPoseBytes), views_[level].slice(offset, kPoseBytes));
}

void Poses::recordAfterBackward(gpu::Commands& c, const StepJob& job) const {
    const kernels::pose_gradient kernel{.updateCount = job.gradients->updateCount,
                                        .frame = job.frame.parameters,
                                        .views = job.view.views,
                                        .projected = job.frame.projected,
                                        .partials = partials_,
                                        .tileCounts = job.frame.tileCounts,
                                        .gradients = job.gradients->gradients,
                                        .view = job.view.index,
                                        .kCarried = static_cast<uint32_t>(job.view.carried)};
    c.dispatchGroups(withModel(kernel, job.model), reductionGroups(job.frame.capacity.gaussians));
}

void Poses::recordAfterUpdate(gpu::Commands& c, const StepJob& job) const {
    c.dispatchGroups(kernels::step_pose{.state = job.frame.state,
                                        .step = job.parameters,
                                        .partials = partials_,
                                        .startViews = startViews_,
                                        .offsets = offsets_,
                                        .moments = moments_,
                                        .corrections = corrections_,
                                        .views = views_[0],
                                        .view = job.view.index,
                                        .groups = reductionGroups(job.frame.capacity.gaussians),
                                        .number = number_},
                     1);
}

void Poses::end() const {
    device_.run("move views back", [&](gpu::Commands& c) {
        for (size_t level = 0; level < views_.size(); ++level) {
            for (size_t view = 0; view < cameras_.size(); ++view) recordPose(c, startViews_, view, level);
        }
    });
}

std::vector<Camera> Poses::movedCameras() const {
    const auto offsets = device_.download<shared::PoseOffset>(offsets_, cameras_.size());
    std::vector<Camera> cameras;
    for (size_t i = 0; i < cameras_.size(); ++i) cameras.push_back(movedCamera(cameras_[i], offsets[i]));
    return cameras;
}

std::vector<std::pair<std::string, const gpu::Buffer*>> Poses::state() const {
    return {{"pose_twists", &offsets_}, {"pose_moments", &moments_}, {"pose_corrections", &corrections_}, {"pose_views", &views_[0]}};
}

extern const StepPartRow kPosePart{
    .name = "poses",
    .settings = SettingsPart::byDefault<PoseSettings>,
    .wanted = [](const TrainSettings& s) { return s.of<PoseSettings>().refinePoses; },
    .number =
        [](const TrainSettings& s, uint32_t step) {
            const auto& own = s.of<PoseSettings>();
            return decayedRate(own.lrPoses, own.lrPosesFinal, s, step);
        },
    .isRate = true,
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> {
        return std::make_unique<Poses>(in.device(), in.views, in.cameras, in.number);
    },
};

}  // namespace splat
