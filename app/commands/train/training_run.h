#pragma once

#include <optional>

#include <splatwright/train/session/session.h>
#include "commands/command.h"
#include "commands/interrupt.h"
#include "commands/train/run_plan.h"

namespace splat::app {

/// A `train` command at a terminal: runs a session, shows its progress, and stops it when a signal comes.
class TrainingRun : private SessionObserver {
public:
    /// Reads settings and checkpoint, so that their problems are reported before the dataset is read.
    TrainingRun(Context& context, const TrainOptions& options);

    Exit run();

private:
    std::optional<RunSummary> train();
    void onLoading(Split split, size_t done, size_t total) override;
    void onData(const TrainingData& data, const TrainSettings& settings) override;
    void onStart(uint32_t step, const TrainSettings& settings) override;
    void onStep(const StepReport& report, double millisecondsPerStep) override;
    void onChange(const TrainSettings& settings) override;
    void onCapture(const std::filesystem::path& file) override;
    void onEvaluation(uint32_t step, const Evaluation& evaluation) override;
    void onProblem(const std::string& problem) override;
    void onRescue(const SavedFiles& saved) override;
    void finishProgress();
    std::string details() const;

    Interrupt interrupt_;
    Context& context_;
    RunPlan plan_;
    std::optional<TrainingSession> session_;
    std::optional<Progress> progress_;
    std::optional<Split> loading_;     ///< the split whose progress is shown
    std::optional<SavedFiles> saved_;  ///< by a run that failed after its start
    StepReport last_;
    Evaluation evaluation_;
    double millisecondsPerStep_ = 0;
};

}  // namespace splat::app
