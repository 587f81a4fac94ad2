#pragma once

#include "commands/train/train_options.h"

namespace splat {
struct Checkpoint;
}

namespace splat::app {

/// The built-in defaults, then the strategy's, then the preset, then the file of --config, then options and --set. Throws InputError for a
/// setting that is unknown, out of range, given twice or against another.
TrainSettings resolveSettings(const TrainOptions& options);

/// The checkpoint's settings, with those that may change while a run goes on as the command line has them. Throws InputError for another
/// setting that is given and differs from the checkpoint's, and for fewer steps than are done.
TrainSettings resumedSettings(const TrainOptions& options, const Checkpoint& checkpoint);

/// " name=value" for each setting that differs in `to`, with its value there.
std::string settingChanges(TrainSettings from, TrainSettings to);

}  // namespace splat::app
