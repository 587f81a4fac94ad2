#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/train/session/checkpoint.h>
#include <splatwright/train/session/training_data.h>
#include <splatwright/train/settings.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

/// What a run cost before it was taken up again, and where that was.
struct RunHistory {
    double trainSeconds = 0;
    double totalSeconds = 0;
    std::vector<uint32_t> resumedFrom;  ///< steps
};

/// Reads it from a checkpoint, whose step is the last one in the list.
RunHistory historyOf(const Checkpoint& checkpoint);

/// Training views and frame, as a checkpoint's header has them: enough to notice another dataset.
nlohmann::ordered_json describeData(const TrainingData& data);

/// Which description of its dataset a checkpoint's run has read: DatasetOptions::format. Empty if it does not say.
std::string datasetFormatOf(const Checkpoint& checkpoint);

/// Throws InputError when a dataset is not the checkpoint's: its training views by number, names and sizes, its cameras by the frame.
void checkSameData(const Checkpoint& checkpoint, const nlohmann::ordered_json& data);

/// Trainer::restore(), with a warning where the checkpoint was made on another device than this one: then the run does not go on to the same
/// bits.
void restore(Trainer& trainer, const Checkpoint& checkpoint, const std::string& device);

/// What a checkpoint says of its run beside the trainer's state.
struct RunDescription {
    std::string version;  ///< the program's
    std::string device;
    RunHistory history;  ///< up to the checkpoint
    TrainSettings settings;
    nlohmann::ordered_json data;
};
void describeRun(Checkpoint& checkpoint, RunDescription run);

}  // namespace splat
