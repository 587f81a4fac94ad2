#pragma once

#include <optional>

#include "commands/command.h"
#include "commands/interrupt.h"
#include "commands/output_folder.h"
#include "commands/step_clock.h"
#include "commands/train_options.h"
#include "scene/frame.h"
#include "train/report.h"

namespace splat::app {

/// One run of `train`: the dataset becomes photographs and a start in the training frame, then come steps and evaluations, then files.
class TrainingRun {
public:
    /// Reads everything there is to read, so that whatever is wrong with it is said before training starts.
    TrainingRun(Context& context, const TrainOptions& options);

    Exit run();

private:
    using Clock = std::chrono::steady_clock;

    void checkSteps() const;
    void load();
    std::vector<Photograph> loadSplit(const Dataset& dataset, Split split);
    void train();
    void trainUntil(uint32_t step);
    void runSteps(uint32_t until);
    bool onStep(const StepReport& report);
    std::string details() const;
    void writeLog(std::optional<double> psnr);
    void evaluateNow();
    void save();
    size_t saveSplats() const;
    void printSummary(const RunSummary& summary) const;
    EvaluatedModel evaluated() const { return {trainer_->model(), trainer_->shDegree(), settings_.background}; }
    bool interrupted() const { return interrupt_ && interrupt_->requested(); }

    Context& context_;
    TrainOptions options_;
    TrainSettings settings_;
    Clock::time_point begin_ = Clock::now();
    TrainingFrame frame_;
    std::vector<Photograph> trainViews_, testViews_;
    std::optional<OutputFolder> out_;
    std::optional<gpu::Capture> capture_;
    std::optional<TrainingLog> log_;
    std::optional<Trainer> trainer_;
    std::optional<Interrupt> interrupt_;
    std::optional<Progress> progress_;
    StepClock clock_;
    StepReport last_;
    double millisecondsPerStep_ = 0;
    uint32_t pauseAt_ = 0;  ///< the log line of this step waits for what its evaluation says
    Evaluation evaluation_;
};

}  // namespace splat::app
