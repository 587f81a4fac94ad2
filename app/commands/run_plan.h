#pragma once

#include <chrono>
#include <optional>
#include <set>

#include "commands/train_options.h"
#include "train/checkpoint.h"
#include "train/resume.h"

namespace splat::app {

/// What a run of `train` is to do, as far as that is known without the dataset.
struct RunPlan {
    TrainOptions options;
    TrainSettings settings;
    std::optional<Checkpoint> resumed;  ///< what it goes on from
    RunHistory earlier;                 ///< before that
    std::set<uint32_t> evaluations;     ///< steps after which to evaluate, the last one included
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

    bool nothingToDo() const { return resumed && resumed->value<uint32_t>("step") >= settings.steps; }
    /// Whether the run goes on in the folder that it began in.
    bool goesOnInPlace() const;
};

/// Reads settings and checkpoint. capture: step for RenderDoc; 0: none. Throws InputError for what does not go together, and where OUT holds
/// another run.
RunPlan planRun(const TrainOptions& options, uint32_t capture);

/// Throws InputError if OUT holds another run, unless that may be overwritten or is gone on with.
void checkFolder(const RunPlan& plan);

/// Says so on standard output.
void printNothingToDo(const RunPlan& plan);

}  // namespace splat::app
