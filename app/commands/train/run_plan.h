#pragma once

#include <chrono>
#include <optional>

#include <splatwright/train/session/session.h>
#include "commands/train/train_options.h"

namespace splat::app {

/// Work of a `train` command, as far as it is known without the dataset.
struct RunPlan {
    TrainOptions options;
    TrainSettings settings;
    std::optional<uint32_t> resumedStep;  ///< of the checkpoint to resume from
    uint32_t steps = 0;                   ///< of the settings; those that max_passes allows if a checkpoint contains the number of views
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

    bool nothingToDo() const { return resumedStep && *resumedStep >= steps; }
    SessionOptions session(SessionObserver& observer) const;
};

/// Reads settings and checkpoint. capture: step for RenderDoc; 0: none. Throws InputError for options that contradict each other, and if OUT
/// holds another run.
RunPlan planRun(const TrainOptions& options, uint32_t capture);

/// Says so on standard output.
void printNothingToDo(const RunPlan& plan);

}  // namespace splat::app
