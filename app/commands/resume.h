#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "scene/dataset.h"
#include "scene/frame.h"
#include "train/checkpoint.h"

namespace splat::app {

/// What a run cost before it was taken up again, and where that was.
struct RunHistory {
    double trainSeconds = 0;
    double totalSeconds = 0;
    std::vector<uint32_t> resumedFrom;  ///< steps
};

/// Reads it from a checkpoint, whose step is the last one in the list.
RunHistory historyOf(const Checkpoint& checkpoint);

/// Training views and frame, as a checkpoint's header has them: enough to notice another dataset.
nlohmann::ordered_json describeData(const std::string& path, const TrainingFrame& frame, const std::vector<Photograph>& views);

/// Throws InputError when a dataset is not the checkpoint's: its training views by number, names and sizes, its cameras by the frame.
void checkSameData(const Checkpoint& checkpoint, const nlohmann::ordered_json& data);

}  // namespace splat::app
