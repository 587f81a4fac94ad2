#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <splatwright/render/backward.h>
#include <splatwright/shared/training.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/loss/loss.h>
#include <splatwright/train/loss/targets.h>
#include <splatwright/train/model/step_report.h>

namespace splat {

/// What a part is made from. All of it outlives the part; the settings change in place.
struct StepPartInputs {
    const DensifierInputs& training;
    GaussianStore& store;
    Targets& targets;
    std::span<const Camera> cameras;     ///< per view, as the dataset has them
    std::span<const gpu::Buffer> views;  ///< shared::ViewParameters per view; one buffer per level
    glm::uvec2 size;                     ///< at least that of any training image
    uint32_t statusSlots = 0;            ///< of rings that have a slot per submission
    uint32_t number = 0;                 ///< place of the part's number in shared::StepParameters::parts

    gpu::Device& device() const { return training.device; }
    const TrainSettings& settings() const { return training.settings; }
    uint32_t pixels() const { return size.x * size.y; }
};

/// A training step while it is recorded.
struct StepJob {
    ViewSelection view;
    size_t image = 0;  ///< Targets::image()
    uint32_t level = 0;
    const GaussianModel& model;
    const FrameBuffers& frame;
    const BackwardBuffers* gradients = nullptr;
    gpu::BufferSlice parameters;       ///< shared::StepParameters
    gpu::BufferSlice target;           ///< uint per pixel: the training image, RGBA8
    gpu::BufferSlice render;           ///< float3 per pixel
    gpu::BufferSlice colours;          ///< float3 per pixel: the render as it is compared with the training image
    gpu::BufferSlice colourGradients;  ///< float3 per pixel: dL by `colours`; after recordAfterLoss() by the render
    gpu::BufferSlice colourChanges;    ///< shared::ColourChanges, where a part changes colours
};

/// Something that takes part in training steps beside the model, the photometric loss and the strategy's refinements. Members are called in their
/// order here; those that record are called once per recording, and what they record must be a no-op while the frame state is halted.
class StepPart {
public:
    StepPart() = default;
    virtual ~StepPart() = default;
    StepPart(const StepPart&) = delete;
    StepPart& operator=(const StepPart&) = delete;

    // Memory of a frame.
    /// What the frame must hold for this part.
    virtual void demand(FrameCapacity&) const {}
    /// Bytes of the frame's transient memory that makeFrame() takes.
    virtual uint64_t transientBytes(const FrameCapacity&) const { return 0; }
    virtual void makeFrame(gpu::Arena&, const FrameCapacity&) {}
    virtual void releaseFrame() {}

    // A step.
    /// What the forward pass computes beside colours.
    virtual void select(ViewSelection&, size_t /*image*/) const {}
    /// Adds to the job what later parts of the table need.
    virtual void provide(StepJob&) const {}
    virtual void recordBegin(gpu::Commands&, const StepJob&) const {}
    /// Between the render and its comparison with the training image, in parts whose row says so: returns what is compared.
    virtual gpu::BufferSlice recordColours(gpu::Commands&, const StepJob& job) const { return job.render; }
    /// After these, in all parts: returns what is compared in place of job.colours.
    virtual gpu::BufferSlice recordCompared(gpu::Commands&, const StepJob& job) const { return job.colours; }
    /// Records the row's terms of the loss and their gradients, after the photometric loss.
    virtual void recordLoss(gpu::Commands&, const StepJob&, gpu::BufferSlice /*sums*/, uint32_t /*first*/) const {}
    virtual void recordAfterLoss(gpu::Commands&, const StepJob&) const {}
    /// What the backward pass needs or computes beside gradients.
    virtual void complete(BackwardJob&) const {}
    virtual void recordAfterBackward(gpu::Commands&, const StepJob&) const {}
    /// After the model's update; only now is it sure that the step counts.
    virtual void recordAfterUpdate(gpu::Commands&, const StepJob&) const {}

    // Between steps.
    /// Before and after the events of the strategy. They may refer to the part.
    virtual std::vector<RefineEvent> eventsBefore() const { return {}; }
    virtual std::vector<RefineEvent> eventsAfter() const { return {}; }
    /// What must be known before the first step with this part.
    virtual void recordStart(gpu::Commands&, const RefineJob&) const {}
    /// Whether an event after so many steps completes the step's report; it is the only one in eventsBefore(), for no other number of steps.
    virtual bool reportsAfter(uint32_t /*steps*/) const { return false; }
    /// Completes a report from the ring's slot of such an event.
    virtual void report(StepReport&, uint32_t /*slot*/) const {}

    /// Undoes what the part has changed of others, before it is dropped in a training that goes on.
    virtual void end() const {}

    // Results.
    /// Persistent buffers for checkpoints, with their names.
    virtual std::vector<std::pair<std::string, const gpu::Buffer*>> state() const { return {}; }
    /// Where the training cameras are now; empty: where they were.
    virtual std::vector<Camera> movedCameras() const { return {}; }
};

/// One row of the table of parts. One file defines it, and the table lists its name.
struct StepPartRow {
    std::string_view name;
    /// Creates the part's settings; null: it has none of its own.
    SettingsPart (*settings)() = nullptr;
    bool (*wanted)(const TrainSettings& settings);
    /// Throws InputError for settings that contradict each other, where the part is wanted.
    void (*check)(const TrainSettings& settings) = [](const TrainSettings&) {};
    /// Keeps in the store what the part needs per Gaussian, or drops it.
    void (*keep)(GaussianStore& store, bool wanted) = nullptr;
    /// The number that the part's kernels find in StepParameters::parts, at a step counted from 0; null: none.
    double (*number)(const TrainSettings& settings, uint32_t step) = nullptr;
    bool isRate = false;                   ///< whether the number is a learning rate
    bool transformsColours = false;        ///< by recordColours(): only one part of a step does
    std::span<const LossTerm> terms = {};  ///< of the loss, which recordLoss() records
    std::unique_ptr<StepPart> (*make)(const StepPartInputs& inputs);
};

/// In the order in which parts record.
std::span<const StepPartRow* const> stepPartTable();

/// Throws InputError for parts that contradict each other or other settings.
void checkParts(const TrainSettings& settings);

/// Place of a row's number in StepParameters::parts, where it has one.
uint32_t placeOfNumber(const StepPartRow& row);
/// The parts' numbers at a step counted from 0.
std::array<float, shared::kMostStepParts> partNumbers(const TrainSettings& settings, uint32_t step, double rateScale);

/// Keeps in the store what the wanted parts need per Gaussian, and drops what others have left.
void keepForParts(GaussianStore& store, const TrainSettings& settings);
/// Whether keepForParts() changes nothing from one settings to the others.
bool keepTheSame(const TrainSettings& a, const TrainSettings& b);

}  // namespace splat
