#pragma once

#include <splatwright/train/settings/settings.h>

namespace splat {

struct AccumulationRow;

/// The accumulation method that training begins with: the one that `accumulate` names, or the default for `auto`.
const AccumulationRow& accumulationOf(const TrainSettings& settings);

/// Selects a deterministic accumulation method unless the selected one is.
void accumulateDeterministically(TrainSettings& settings);

}  // namespace splat
