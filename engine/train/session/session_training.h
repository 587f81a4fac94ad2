#pragma once

#include <cstdint>
#include <optional>

#include <splatwright/gpu/capture.h>
#include <splatwright/train/session/command_queue.h>
#include <splatwright/train/session/session.h>
#include <splatwright/train/session/session_data.h>
#include <splatwright/train/session/session_files.h>
#include <splatwright/train/session/session_stops.h>
#include <splatwright/train/session/shared_trainer.h>
#include <splatwright/train/session/step_clock.h>
#include <splatwright/train/session/withheld_scorer.h>
#include <splatwright/train/watch/growth_watch.h>
#include <splatwright/train/watch/training_watch.h>

namespace splat {

/// Thrown out of long work by TrainingSession::stop().
struct Stopped {};

/// The work of a session: loads, trains from stop to stop, evaluates and saves. It knows no commands and throws every problem; SessionRunner
/// decides what follows.
class SessionTraining {
public:
    /// commands: work returns soon when one is waiting. All arguments must outlive this.
    SessionTraining(gpu::Device& device, const primitives::RadixSort& sort, SessionOptions& options, SessionObserver& observer,
                    const CommandQueue& commands);

    /// Starts anew: loads images if the settings need others, and makes a trainer. keepAlpha: TrainingDataOptions has it.
    void begin(const TrainSettings& given, bool keepAlpha);
    /// Trains to the next stop, a pause after step pauseAt (0: none), or until a command is waiting.
    void advance(uint32_t pauseAt);
    bool evaluationDue() const { return stops_.evaluatesAfter(trainer_->stepsDone(), trainer_->settings()); }
    bool checkpointDue() const { return stops_.savesAfter(trainer_->stepsDone(), trainer_->settings()); }
    bool complete() const { return trainer_->complete(); }
    /// Changes the settings of the training.
    void change(const TrainSettings& asked);

    /// Removes Gaussians whose distance to their nearest neighbours is more than so many times the median (isolation()); training goes on with the
    /// others.
    void removeFloaters(double times);

    /// Evaluates on the test views. Throws Stopped if it may.
    void score(bool mayStop);
    /// Evaluates on the training views. Throws Stopped.
    void scoreTrainingViews();
    /// Writes the results, once per step at which training is complete or stopped.
    void end();
    /// Result of the last end(); none: it was never called after a step.
    const std::optional<RunSummary>& summary() const { return summary_; }
    /// Writes a checkpoint while training continues.
    void writeCheckpoint(const std::filesystem::path& path);
    /// Logs a divergence or collapse and reports it.
    void diverged(const Diverged& problem);
    /// Saves splats and checkpoint of the last sound state of a run that has diverged or collapsed.
    void leaveDiverged();

    SharedTrainer& trainer() { return trainer_; }
    SessionFiles& files() { return files_; }
    const SessionData& data() const { return data_; }
    Gaussians splats() const;
    Image8 render(const Camera& camera);

private:
    void load(const TrainSettings& settings, bool keepAlpha);
    void beginGrowth(const Trainer& trainer, const Checkpoint* resumed);
    Gaussians firstModel(const TrainSettings& settings) const;
    TrainSettings followed(const TrainSettings& given, std::optional<uint32_t> growthEnd) const;
    void tellLimits(const TrainSettings& given) const;
    bool onStep(const StepReport& report);
    std::optional<Diverged> train(uint32_t untilStep);
    void scoreGrowth();
    std::vector<double> withheldPsnrs();
    void endGrowth(const WithheldScore& seen);
    void rollBack(const Diverged& problem);
    bool returnToSoundState();

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    SessionOptions& options_;
    SessionObserver& observer_;
    const CommandQueue& commands_;
    SessionData data_;
    TrainingWatch watch_;
    GrowthWatch growth_;
    std::optional<ColourTest> colourTest_;    ///< of the start, also if it was resumed
    std::optional<WithheldScorer> withheld_;  ///< of the views of growth_, once they were scored
    SessionFiles files_;
    SessionStops stops_;
    std::optional<gpu::Capture> capture_;
    SharedTrainer trainer_;
    uint32_t evaluatedAt_ = 0;  ///< step of the last evaluation; 0: none
    uint32_t endedAt_ = 0;      ///< step of the last end(), or of the start
    std::optional<RunSummary> summary_;
    std::optional<Diverged> diverged_;   ///< that ended the training
    std::optional<uint32_t> soundStep_;  ///< of the last checkpoint that was written while training was healthy
    StepClock clock_;
    double millisecondsPerStep_ = 0;
};

}  // namespace splat
