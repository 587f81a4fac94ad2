#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/turns.h"
#include "gpu/capture.h"
#include "primitives/radix_sort.h"
#include "render/model.h"
#include "scene/dataset.h"
#include "train/checkpoint.h"
#include "train/settings.h"

namespace splat {

/// What a finished step said, some steps late.
struct StepReport {
    uint32_t step = 0;  ///< steps done
    double loss = 0;
    uint32_t gaussians = 0;
    uint32_t visible = 0;
    uint32_t instances = 0;
};

/// Training that cannot go on: the loss, or too many gaussians, are no longer finite. The message says what, and after which step.
class Diverged : public Error {
public:
    Diverged(const StepReport& firstBadStep, const std::string& message) : Error("{}", message), report(firstBadStep) {}

    StepReport report;  ///< of the first bad step
};

/// What a run cost so far, since it was restored if it was.
struct TrainingCosts {
    uint32_t steps = 0;                  ///< in all
    uint32_t stepsHere = 0;              ///< since it was restored, if it was; times of a step are means over these
    double seconds = 0;                  ///< wall time inside run()
    double millisecondsPerStep = 0;      ///< wall time, without the first step, which waits for kernels to be compiled; 0: not known
    double hostMicrosecondsPerStep = 0;  ///< CPU time of the submitting thread a step, waiting for room in the queue excluded
    uint64_t waitsInSteps =
        0;  ///< fence or semaphore waits while a step is put together and submitted: 0 by construction, counted all the same
    uint64_t pacingWaits = 0;                            ///< waits for room, because the host was a whole queue of steps ahead
    uint64_t repeatedSteps = 0;                          ///< steps that were no-ops because a capacity overflowed, and were done again
    std::vector<std::pair<std::string, double>> stages;  ///< GPU milliseconds a step, mean over the run
};

/// Trains a model on the GPU. Steps are recorded once a view and resubmitted; what changes from step to step lies on the GPU, and the host only
/// looks at small status records of steps that have long been done. All members are for one thread, but for those that say otherwise.
class Trainer {
public:
    /// Photographs and gaussians in the training frame, whose extent (1.1 times the farthest camera from the cameras' mean) is given. The
    /// photographs' pixels go over to the trainer: move them where they are not needed any more.
    Trainer(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings, const Gaussians& start,
            std::vector<Photograph> photographs, double sceneExtent);
    ~Trainer();
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    /// Trains until this many steps are done in all, or until a report is answered with false; everything submitted is done on return. Throws
    /// Diverged, now and ever after, once the status of a step says so; that step and those in the queue behind it are not reported.
    void run(uint32_t untilStep, const std::function<bool(const StepReport&)>& onStep);

    /// Does the next step between begin() and end() of a RenderDoc capture, and waits for it: the one step that is allowed to.
    std::filesystem::path captureStep(gpu::Capture& capture);

    /// Gives the memory that steps work in back until the next run: for others where memory is short, since a frame of theirs needs less.
    void releaseFrame();

    /// All that training needs to go on bit for bit, the settings excepted; between two runs. Throws Diverged once training has.
    Checkpoint checkpoint();
    /// Goes on from there, also after training has diverged. Throws InputError naming what is missing or does not fit; the trainer is of no use
    /// then.
    void restore(const Checkpoint& checkpoint);

    /// Goes on with other settings from the next run on, losing nothing of the state; between two runs. What `exposure` and `refine_poses` trained
    /// goes when they are switched off. Photographs that were composited over a background stay so: load them with their alpha for runs whose
    /// background may change. Throws InputError, with nothing changed, for a setting that asks for a new start, fewer steps than are done, or
    /// settings that do not go together.
    void change(const TrainSettings& settings);
    const TrainSettings& settings() const;

    /// How far run() may be ahead of the GPU, milliseconds of work: as little as two submissions of a step each, so that what another thread
    /// submits soon has its turn. 0, at first: as far as is good for training alone.
    void setQueueAhead(double milliseconds);

    // For another thread that draws the model while steps go on. It holds the lock while it records and submits a picture, which may then read
    // the model and growth statistics: buffers are only replaced under the lock, and after all that was submitted. A recording is good for the
    // generation that it was made in.
    FairMutex& modelLock();
    /// Another one for other buffers or another kind of model; no two trainers' are the same. Under the lock.
    uint64_t modelGeneration() const;
    /// shared::GrowthStatistics a gaussian, of what the densifier has seen since its last refinement; a single row where none are kept.
    const gpu::Buffer& growth() const;

    uint32_t stepsDone() const;
    /// The highest SH degree in use after the steps done.
    int shDegree() const;
    const GaussianModel& model() const;
    /// Where the cameras of the photographs are now, in the training frame; empty unless `refine_poses` moves them.
    std::vector<Camera> movedCameras() const;
    TrainingCosts costs() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace splat
