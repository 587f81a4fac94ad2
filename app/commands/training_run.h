#pragma once

#include <optional>

#include "commands/command.h"
#include "commands/interrupt.h"
#include "commands/run_record.h"
#include "train/checkpoint_writer.h"
#include "train/step_clock.h"

namespace splat::app {

/// One run of `train`: the dataset becomes photographs and a start in the training frame, or a checkpoint's state; then come steps,
/// evaluations and checkpoints, then files.
class TrainingRun {
public:
    /// Reads everything there is to read, so that whatever is wrong with it is said before training starts.
    TrainingRun(Context& context, const TrainOptions& options);

    Exit run();

private:
    void load();
    void loadData(const Dataset& dataset);
    void makeTrainer();
    void train();
    uint32_t nextStop() const;
    void stopAt(uint32_t step);
    void trainUntil(uint32_t step);
    void runSteps(uint32_t until);
    bool onStep(const StepReport& report);
    std::string details() const;
    void evaluateNow();
    void saveCheckpoint();
    std::string lastCheckpoint();
    std::string backToCheckpoint(const Diverged& problem);
    std::string rescue();
    void save();
    void saveStopped();
    bool interrupted() const { return interrupt_.requested(); }
    bool complete() const { return trainer_->stepsDone() >= plan_.settings.steps; }

    Interrupt interrupt_;
    Context& context_;
    RunPlan plan_;
    TrainingData loaded_;
    std::optional<RunRecord> record_;
    std::optional<gpu::Capture> capture_;
    nlohmann::ordered_json data_;  ///< what checkpoints say of it
    std::optional<CheckpointWriter> checkpoints_;
    std::optional<Trainer> trainer_;
    std::optional<Progress> progress_;
    StepClock clock_;
    StepReport last_;
    double millisecondsPerStep_ = 0;
};

}  // namespace splat::app
