#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/train/session/colour_test.h>
#include <splatwright/train/session/training_data.h>
#include <splatwright/train/settings/settings.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

struct Checkpoint;

/// Cost of a run before it was resumed, and the steps at which it was resumed.
struct RunHistory {
    double trainSeconds = 0;
    double totalSeconds = 0;
    std::vector<uint32_t> resumedFrom;  ///< steps
};

/// Reads the history from a checkpoint and appends the checkpoint's step to resumedFrom.
RunHistory historyOf(const Checkpoint& checkpoint);

/// The format of the dataset that a resumed run reads, which is the checkpoint's: names and order of views in another description may differ. asked:
/// empty, or a format. Throws InputError, starting with `where`, if it is another one.
std::string resumedFormat(const std::string& asked, const Checkpoint& checkpoint, std::string_view where);

/// Throws InputError if a dataset is not the checkpoint's: compares number, names and sizes of the training views, and the training frame.
void checkSameData(const Checkpoint& checkpoint, const TrainingData& data);

/// The data of a checkpoint's run.
struct CheckpointData {
    TrainingFrame frame;
    glm::uvec2 size{0};  ///< of the first training image
};
/// Throws InputError if the checkpoint does not contain it.
CheckpointData dataOf(const Checkpoint& checkpoint);

/// Trainer::restore(), with a warning if the checkpoint was written on another device: the continued run is then not bit-identical.
void restore(Trainer& trainer, const Checkpoint& checkpoint, const std::string& device);

/// Description of a run in its checkpoints, besides the trainer's state.
struct RunDescription {
    std::string version;  ///< of the program
    std::string device;
    RunHistory history;  ///< up to the checkpoint
    TrainSettings settings;
    const TrainingData& data;
    std::optional<ColourTest> colourTest;
    nlohmann::ordered_json watch;  ///< TrainingWatch::state()
};
void describeRun(Checkpoint& checkpoint, RunDescription run);

}  // namespace splat
