#pragma once

#include <splatwright/train/settings/settings.h>

namespace splat {

/// Throws InputError naming settings that contradict each other or do not exist.
void checkTogether(const TrainSettings& settings);

}  // namespace splat
