#pragma once

#include "commands/command.h"
#include "commands/train/train_options.h"

namespace splat::app {

/// `train --view`: the run in the viewer, with the same files as without it. Those that a run that is complete has are written at the last step;
/// what is there when the window is closed before that, as after Ctrl-C.
Exit trainInViewer(Context& context, const TrainOptions& options);

}  // namespace splat::app
