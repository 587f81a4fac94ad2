#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/backward.h"
#include "scene/dataset.h"
#include "train/densify/densifier.h"
#include "train/exposure.h"
#include "train/loss.h"
#include "train/poses.h"
#include "train/store.h"
#include "train/targets.h"

namespace splat {

/// Records what training submits: a step on each view and the densifier's events, once each, until a buffer grows. Owns the buffers that a
/// step works in.
class StepRecorder {
public:
    /// Takes the pixels out of the photographs.
    StepRecorder(const DensifierInputs& inputs, GaussianStore& store, std::vector<Photograph>& photographs);

    /// Goes on with other settings: photographs, step counter and stage times stay, and so does what is trained of the views and is still to be.
    /// The frame's buffers are given back, as below.
    void change(const TrainSettings& settings);

    /// Gives the frame's buffers back; they are made anew, for the store's capacity too, by makeFrame().
    void releaseFrame();
    void makeFrame(uint32_t instances, uint32_t buckets);
    bool hasFrame() const { return frame_.has_value(); }
    const FrameCapacity& capacity() const { return capacity_; }
    void setLimit(uint32_t gaussians);

    const gpu::Commands& step(size_t view);
    const gpu::Commands& event(size_t event);
    Targets& targets() { return targets_; }
    const std::vector<RefineEvent>& events() const { return events_; }
    /// So that no step pays for its recording. Makes all anew where kernels have been replaced since; nothing may be pending then.
    void recordAll();
    /// Whether kernels have been replaced since.
    bool outdated() const { return device_.kernelGeneration() != kernels_; }

    /// What a submission told, by how many had been submitted before it.
    const shared::StepStatus& status(uint64_t serial) const;
    /// Sets the GPU's step counter.
    void setStep(uint32_t step);
    /// What a checkpoint holds of the views: exposures and moved cameras, where they are trained.
    std::vector<CheckpointSection> save() const;
    /// Throws InputError naming the section that is missing, or not as long as it should be.
    void load(const Checkpoint& checkpoint);
    /// Where the training cameras are now; empty where they stay.
    std::vector<Camera> movedCameras() const;
    /// GPU milliseconds of each stage so far, summed over steps.
    std::vector<std::pair<std::string, double>> stageMilliseconds() const;

private:
    void apply(const TrainSettings& settings);
    void uploadViews();
    gpu::Commands recordStep(size_t view);
    Statistics statistics() const;
    void recordPhotometry(gpu::Commands& commands, const ViewSelection& view) const;
    void recordViewSteps(gpu::Commands& commands, const ViewSelection& view) const;
    gpu::Commands recordEvent(const RefineEvent& event);
    std::vector<std::pair<std::string, const gpu::Buffer*>> viewState() const;

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    const double sceneExtent_;
    TrainSettings settings_;
    GaussianStore& store_;
    const DensifierRow* densifier_ = nullptr;
    const AccumulationRow* row_ = nullptr;
    std::vector<RefineEvent> events_;
    Forward forward_;
    std::vector<glm::uvec2> sizes_;
    std::vector<Camera> cameras_;
    Targets targets_;
    gpu::Buffer views_;
    std::optional<Exposure> exposure_;
    std::optional<Poses> poses_;
    gpu::Buffer schedule_, training_, statusRing_, stamps_, stageTicks_, lossSums_, refinement_;
    FrameCapacity capacity_;
    uint32_t limit_;
    uint64_t kernels_;  ///< generation of the device's
    std::optional<gpu::Buffer> colourGradients_;
    std::optional<LossScratch> lossScratch_;
    std::optional<FrameBuffers> frame_;
    std::optional<BackwardBuffers> gradients_;
    std::vector<std::optional<gpu::Commands>> steps_;  ///< [view]
    std::vector<std::optional<gpu::Commands>> eventRecordings_;
    std::vector<std::string> stageNames_;
};

}  // namespace splat
