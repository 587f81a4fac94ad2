#pragma once

#include <cstdint>

#include <splatwright/render/kinds/model_kind.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// Throws InputError if there are more Gaussians than `max_splats`: strategies keep below it, but drop none for it.
void checkCount(uint64_t gaussians, const TrainSettings& settings);

/// Throws InputError naming the first setting that only a new start can change, settings that contradict each other, a strategy that trains
/// another kind of model, or fewer steps than are done.
void checkChange(const TrainSettings& from, const TrainSettings& to, const ModelKind& kind, uint32_t stepsDone);

}  // namespace splat
