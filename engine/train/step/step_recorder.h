#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <splatwright/render/backward.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/densify/refinement.h>
#include <splatwright/train/loss/loss.h>
#include <splatwright/train/loss/targets.h>
#include <splatwright/train/model/step_report.h>
#include <splatwright/train/model/store.h>
#include <splatwright/train/parts/step_parts.h>
#include <splatwright/train/step/accumulation_choice.h>
#include <splatwright/train/step/schedule.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

/// Records what training submits: a step on each view and the densifier's events, once each, until a buffer grows. Owns the buffers that a
/// step works in.
class StepRecorder {
public:
    /// Reads cameras and sizes of the views; their pixels are in the targets, which must outlive this.
    StepRecorder(const DensifierInputs& inputs, GaussianStore& store, std::span<const Photograph> views, Targets& targets);

    /// Goes on with other settings: photographs, step counter and stage times stay, and so does what is trained of the views and is still to be.
    /// The frame's buffers are given back, as below.
    void change(const TrainSettings& settings);

    /// Multiplies all learning rates; the schedule is uploaded again, which recordings do not notice.
    void scaleRates(double scale);
    double rateScale() const { return rateScale_; }

    /// Gives the frame's buffers back; they are made anew, for the store's capacity too, by makeFrame().
    void releaseFrame();
    void makeFrame(uint32_t instances, uint32_t buckets);
    bool hasFrame() const { return frame_.has_value(); }
    const FrameCapacity& capacity() const { return capacity_; }
    void setLimit(uint32_t gaussians);

    /// Index of the image that a step on a view learns from: Targets::image() at the step's level.
    size_t image(uint32_t step, size_t view) const { return targets_.image(view, levelAt(settings_, step)); }
    /// Training view of an image.
    uint32_t viewOf(size_t image) const { return static_cast<uint32_t>(image % cameras_.size()); }
    /// With the times of its stages, or without.
    const gpu::Commands& step(size_t image, gpu::StageTimes times);
    const gpu::Commands& event(size_t event);
    Targets& targets() { return targets_; }
    const std::vector<RefineEvent>& events() const { return events_; }
    /// Compiles the kernels of a step and of the events by recording them, the step on this image. The others are recorded when they are first submitted,
    /// while the GPU does those before. Makes all anew if they are outdated(); nothing may be pending then.
    void prepare(size_t image);
    /// Whether kernels or the accumulation method have been replaced since.
    bool outdated() const { return device_.kernelGeneration() != kernels_ || recordedMethod_ != method_; }

    /// Tests the kernels of methods on devices that need it, before any step.
    void settle(std::span<const AccumulationMethod> methods) const;
    /// Steps accumulate by this method from the next prepare() on: one that needs no other buffers than firstMethod().
    void accumulateBy(const AccumulationMethod& method) { method_ = method; }
    const AccumulationMethod& method() const { return method_; }
    /// The backward pass of the step before, on this image, by each of these methods: one stage per method.
    gpu::Commands recordTrial(size_t image, std::span<const AccumulationMethod> methods) const;

    /// What a submission told, by how many had been submitted before it.
    const shared::StepStatus& status(uint64_t serial) const;
    /// The terms of the loss of the step that was submitted after so many others, on this image.
    std::vector<LossShare> losses(uint64_t serial, size_t image) const;
    /// How many events after this many steps complete their report; no others come before them.
    uint32_t reportsAfter(uint32_t steps) const;
    /// Completes a report by one of them, which was submitted after so many others.
    void report(uint32_t event, uint64_t serial, StepReport& report) const;
    /// Starts the parts that are new. Waits; call it between two runs, with a frame.
    void startParts();
    /// Sets the GPU's step counter, and clears the times of stages.
    void setStep(uint32_t step);
    /// What a checkpoint holds of the parts.
    std::vector<CheckpointSection> save() const;
    /// Throws InputError naming the section that is missing, or not as long as it should be.
    void load(const Checkpoint& checkpoint);
    /// Where the training cameras are now; empty where they stay.
    std::vector<Camera> movedCameras() const;
    /// Sums over the timed ones of the `steps` since the last setStep(). Waits for the GPU.
    std::vector<StageCost> stageCosts(uint32_t steps) const;

private:
    static constexpr uint32_t kStatusSlots = 64;  ///< more than steps are ever in flight

    struct StepRecordings {
        std::optional<gpu::Commands> timed, untimed;
    };

    void apply(const TrainSettings& settings);
    std::vector<shared::StepParameters> scheduleNow() const;
    void clearRecordings();
    ViewSelection selectionOf(size_t image) const;
    StepJob jobOf(size_t image) const;
    BackwardJob backwardJob(const ViewSelection& view, const AccumulationMethod& method) const;
    gpu::Commands recordStep(size_t image, gpu::StageTimes times);
    void recordBegin(gpu::Commands& commands, const StepJob& job) const;
    void recordLoss(gpu::Commands& commands, StepJob& job) const;
    void recordEnd(gpu::Commands& commands, gpu::StageTimes times) const;
    RefineJob refineJob() const;
    gpu::Commands recordEvent(const RefineEvent& event);
    std::vector<std::pair<std::string, const gpu::Buffer*>> partState() const;

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    const double sceneExtent_;
    TrainSettings settings_;
    const DensifierInputs inputs_;  ///< with these settings
    double rateScale_ = 1;
    GaussianStore& store_;
    Statistics statistics_ = Statistics::none;
    AccumulationMethod method_, recordedMethod_;
    std::vector<RefineEvent> events_;
    Forward forward_;
    std::vector<Camera> cameras_;    ///< per view
    std::vector<glm::uvec2> sizes_;  ///< per image
    Targets& targets_;
    std::vector<gpu::Buffer> views_;  ///< shared::ViewParameters per view; one buffer per level
    gpu::Buffer schedule_, parameters_, training_, statusRing_, stamps_, stageTicks_;
    Loss loss_;
    gpu::Buffer lossRing_, refinement_;
    RefinementTools tools_;
    FrameCapacity capacity_;
    StepParts parts_;
    uint32_t limit_ = UINT32_MAX;
    uint64_t kernels_;  ///< generation of the device's
    std::optional<gpu::Buffer> colourGradients_;
    std::optional<LossScratch> lossScratch_;
    std::optional<FrameBuffers> frame_;
    std::optional<BackwardBuffers> gradients_;
    std::vector<StepRecordings> steps_;  ///< per image
    std::vector<std::optional<gpu::Commands>> eventRecordings_;
    std::vector<std::string> stageNames_;
};

}  // namespace splat
