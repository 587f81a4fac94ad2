#pragma once

#include <functional>
#include <optional>
#include <set>

#include "commands/command.h"
#include "commands/interrupt.h"
#include "commands/output_folder.h"
#include "commands/train_options.h"
#include "train/checkpoint_writer.h"
#include "train/report.h"
#include "train/resume.h"
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
    using Clock = std::chrono::steady_clock;

    void checkSteps() const;
    bool nothingToDo() const { return resumed_ && resumed_->value<uint32_t>("step") >= settings_.steps; }
    bool goesOnInPlace() const;
    void load();
    void loadData(const Dataset& dataset);
    void makeTrainer();
    void openLog();
    void train();
    uint32_t nextStop() const;
    void stopAt(uint32_t step);
    void trainUntil(uint32_t step);
    void runSteps(uint32_t until);
    bool onStep(const StepReport& report);
    std::string details() const;
    void writeLog(std::optional<double> psnr);
    void draw(const std::function<void(Renderer&)>& work);
    void evaluateNow();
    RunHistory history() const;
    void saveCheckpoint();
    std::string lastCheckpoint();
    std::string rescue();
    void save();
    size_t saveSplats() const;
    void saveCameras() const;
    void printSummary(const RunSummary& summary) const;
    EvaluatedModel evaluated() const { return {trainer_->model(), trainer_->shDegree(), settings_.background}; }
    bool interrupted() const { return interrupt_ && interrupt_->requested(); }

    Context& context_;
    TrainOptions options_;
    std::optional<Checkpoint> resumed_;
    TrainSettings settings_;
    RunHistory earlier_;
    std::set<uint32_t> evaluations_;  ///< steps after which to evaluate
    Clock::time_point begin_ = Clock::now();
    TrainingData loaded_;
    std::optional<OutputFolder> out_;
    std::optional<gpu::Capture> capture_;
    nlohmann::ordered_json data_;  ///< what checkpoints say of it
    std::optional<TrainingLog> log_;
    std::optional<CheckpointWriter> checkpoints_;
    std::optional<Trainer> trainer_;
    std::optional<Interrupt> interrupt_;
    std::optional<Progress> progress_;
    StepClock clock_;
    StepReport last_;
    double millisecondsPerStep_ = 0;
    Evaluation evaluation_;
    bool stopped_ = false;  ///< by Ctrl-C
};

}  // namespace splat::app
