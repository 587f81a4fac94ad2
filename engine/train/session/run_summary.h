#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/train/evaluate/evaluation.h>
#include <splatwright/train/settings.h>
#include <splatwright/train/step/step_report.h>

namespace splat {

/// Result of a run, as metrics.json has it.
struct RunSummary {
    TrainSettings settings;
    Evaluation evaluation;  ///< the last one; no views: there was none
    TrainingCosts costs;    ///< `seconds` includes runs before a resume
    uint64_t splats = 0;
    double totalSeconds = 0;            ///< wall time including loading and writing, and runs before a resume
    std::vector<uint32_t> resumedFrom;  ///< steps at which the run was resumed
    int64_t peakDeviceBytes = 0;
    std::string device;
    std::string version;

    /// Whether all steps are done.
    bool complete() const { return costs.steps >= settings.steps; }
};

/// Files that a run which failed has left.
struct SavedFiles {
    std::optional<uint32_t> splatsStep;  ///< none: there are no splats
    std::filesystem::path splats;
    std::optional<uint32_t> checkpointStep;  ///< none: this run has written no checkpoint
    std::filesystem::path checkpoint;        ///< without a step: the one that was resumed; empty: there is none
};

}  // namespace splat
