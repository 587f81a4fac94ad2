#pragma once

#include <optional>

#include "commands/folder_lock.h"
#include "commands/output_folder.h"
#include "commands/run_plan.h"
#include "primitives/radix_sort.h"
#include "train/report.h"

namespace splat::app {

/// The folder of a run of `train`, and what is written there while it goes on and when it ends; checkpoints are written by whoever trains.
/// Everything throws Error naming the path where it cannot be written.
class RunRecord {
public:
    /// Makes the folder and locks it. All of these must outlive this. Throws InputError if another run has the folder.
    RunRecord(gpu::Device& device, const primitives::RadixSort& sort, const RunPlan& plan);

    const OutputFolder& folder() const { return folder_; }

    /// Training starts, or goes on after so many steps. Nothing is touched before the first step that is told, or the end: then what an earlier
    /// run left goes, and the log's lines up to there stay if they are this run's.
    void begin(uint32_t stepsDone, const TrainingFrame& frame, nlohmann::ordered_json data);
    /// Writes a line of the log where one is due; where an evaluation is to come, that is waited for.
    void step(const StepReport& report, double millisecondsPerStep, const TrainSettings& settings);
    /// Of the last step; without views where there are none to evaluate.
    void evaluated(const Evaluation& evaluation);
    const Evaluation& evaluation() const { return evaluation_; }

    /// Up to now.
    RunHistory history(const TrainingCosts& costs) const;
    /// All files but the checkpoint. complete: all steps are done, and there shall be a strip.
    RunSummary save(Trainer& trainer, const TrainingData& data, bool complete);
    /// The last line of the log.
    void diverged(const Diverged& problem, double millisecondsPerStep);
    /// Only the splats, and their number: where training failed.
    size_t saveSplats(const Trainer& trainer);
    void print(const RunSummary& summary, bool complete) const;

private:
    void open();
    void finishLine();
    void saveCameras(const Trainer& trainer) const;
    void saveStrip(Trainer& trainer, const TrainingData& data) const;

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    const RunPlan& plan_;
    OutputFolder folder_;
    FolderLock lock_;
    TrainingFrame frame_;
    nlohmann::ordered_json data_;  ///< what checkpoints say of it
    std::optional<TrainingLog> log_;
    RunHistory earlier_;          ///< before the steps that were done at begin()
    uint32_t begunAt_ = 0;        ///< steps
    std::optional<LogLine> due_;  ///< waits for its evaluation
    Evaluation evaluation_;
};

}  // namespace splat::app
