#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/train/evaluate/flat_warning.h>
#include <splatwright/train/model/step_report.h>
#include <splatwright/train/session/colour_test.h>
#include <splatwright/train/settings/passes.h>
#include <splatwright/train/settings/settings.h>
#include <splatwright/train/step/training_costs.h>
#include <splatwright/train/watch/growth_report.h>
#include <splatwright/train/watch/rollback.h>

namespace splat {

/// What files of a kind's own hold: KindResults::save().
struct OwnResults {
    nlohmann::ordered_json metrics = nlohmann::ordered_json::object();  ///< further entries of metrics.json
    std::string line;                                                   ///< of the summary; empty: none
    std::vector<std::string> files;
};

/// Result of a run, as in metrics.json.
struct RunSummary {
    TrainSettings settings;  ///< as given, before shortened() and withColourTest()
    Evaluation evaluation;   ///< the last one; no views if there was none
    TrainingCosts costs;     ///< `seconds` includes runs before a resume
    uint64_t splats = 0;
    size_t trainingViews = 0;
    OwnResults own;
    double totalSeconds = 0;            ///< wall time including loading and writing, and runs before a resume
    std::vector<uint32_t> resumedFrom;  ///< steps at which the run was resumed
    std::vector<Rollback> rollbacks;    ///< of the whole run
    GrowthReport growth;
    std::optional<ColourTest> colourTest;
    int64_t peakDeviceBytes = 0;
    std::string device;
    std::string version;

    /// Whether all steps are completed.
    bool complete() const { return costs.steps >= shortened(settings, {trainingViews, growth.endedAt}).steps; }
    /// flatWarning() of a complete run.
    std::string warning() const { return complete() ? flatWarning(evaluation) : std::string(); }
};

/// Files that a failed run has saved.
struct SavedFiles {
    std::optional<uint32_t> splatsStep;  ///< none: no splats were saved
    std::filesystem::path splats;
    std::optional<uint32_t> checkpointStep;  ///< none: this run has not written a checkpoint
    std::filesystem::path checkpoint;        ///< if there is no step: the resumed checkpoint, or empty
};

}  // namespace splat
