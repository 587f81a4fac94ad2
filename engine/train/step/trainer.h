#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <splatwright/core/fair_mutex.h>
#include <splatwright/gpu/capture.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/model.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/loss/targets.h>
#include <splatwright/train/model/step_report.h>
#include <splatwright/train/settings/settings.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

class StateCopy;
struct Checkpoint;
namespace primitives {
struct CdfTable;
}

/// Trains a model on the GPU. Steps are recorded once per view and resubmitted; the host reads small status records of steps that are long
/// done. Members are for one thread, unless they say otherwise.
class Trainer {
public:
    /// Views and Gaussians are in the training frame. `sceneExtent` is 1.1 times the distance of the farthest camera from the cameras' mean.
    /// The targets hold the views' pixels and must outlive the trainer.
    Trainer(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
            std::span<const Photograph> views, Targets& targets, double sceneExtent);
    /// Owns its targets, made from the pixels of these photographs.
    Trainer(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
            std::vector<Photograph> photographs, double sceneExtent);
    ~Trainer();
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    /// Trains until `untilStep` steps are done in all, or `onStep` returns false; all submissions are done on return. Throws Diverged, now and
    /// in every later run, if the status of a step says so; neither that step nor those queued behind it are reported.
    void run(uint32_t untilStep, const std::function<bool(const StepReport&)>& onStep);

    /// Does the next step inside a RenderDoc capture, and waits for it. Returns the capture's file.
    std::filesystem::path captureStep(gpu::Capture& capture);

    /// Releases the memory that steps work in until the next run, for others who draw while memory is short.
    void releaseFrame();

    /// The state needed to continue bit for bit, without the settings. Call it between two runs; throws Diverged if training has diverged.
    Checkpoint checkpoint();
    /// The same as a copy that the GPU makes before the next step; nobody waits for it. Throws gpu::OutOfMemory if the host's memory is short.
    void copyState(StateCopy& copy);
    /// Continues from a checkpoint, also after training has diverged. Throws InputError naming what is missing or does not fit; the trainer
    /// must not be used after that.
    void restore(const Checkpoint& checkpoint);

    /// Drops the Gaussians whose flag is 0, with all that is stored of them, in a model of as many; the others train on as they are. Call it between
    /// two runs. Throws InputError, and changes nothing, if none would be left.
    void keep(std::span<const uint8_t> kept);

    /// Continues with other settings from the next run on; call it between two runs. Keeps the state, except what `exposure`, `colour_grid` and
    /// `refine_poses` trained if they are switched off. Throws InputError, and changes nothing, if a setting needs a new start, fewer steps
    /// are wanted than are done, or settings contradict each other. Photographs that were composited over a background stay so: load them with
    /// their alpha if the background may change.
    void change(const TrainSettings& settings);
    const TrainSettings& settings() const;

    /// Limits how far run() submits ahead of the GPU, in milliseconds of work, so that other threads' submissions get their turn. At least two
    /// submissions of one step stay in flight. 0, the default, is best for training alone.
    void setQueueAhead(double milliseconds);

    /// Multiplies all learning rates by this from the next run on; checkpoints have it. Call it between two runs.
    void scaleRates(double scale);
    double rateScale() const;

    // For another thread that draws the model during training. It holds the lock while it records and submits a frame, which may then read the
    // model and densification statistics: buffers are only replaced under the lock, and after all submissions. Record again if the generation changes.
    FairMutex& modelLock();
    /// Changes when buffers are replaced or the kind of model changes; no two trainers share one. Call it under the lock.
    uint64_t modelGeneration() const;
    /// shared::DensifyStatistics per Gaussian since the densifier's last refinement; one unused row if none are kept.
    const gpu::Buffer& densifyStatistics() const;

    /// RefineEvent::drawnFrom of the strategy; null if it draws no Gaussians. Read it between two runs.
    const primitives::CdfTable* drawnFrom() const;

    uint32_t stepsDone() const;
    /// Whether all steps of the settings are done.
    bool complete() const { return stepsDone() >= settings().steps; }
    /// The highest SH degree in use after the steps done.
    int shDegree() const;
    /// Number of Gaussians; waits for the GPU.
    uint32_t gaussians() const;
    const GaussianModel& model() const;
    /// The training cameras as refined so far, in the training frame; empty unless `refine_poses` is on.
    std::vector<Camera> movedCameras() const;
    TrainingCosts costs() const;

private:
    class Impl;
    std::unique_ptr<Targets> ownTargets_;
    std::unique_ptr<Impl> impl_;
};

}  // namespace splat
