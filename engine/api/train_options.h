#pragma once

#include <splatwright/train.h>
#include <splatwright/train/session/session.h>

namespace splatwright {

/// Resolves settings, checkpoint and dataset as `splatwright train` does. Throws the engine's InputError.
splat::SessionOptions sessionOptions(const TrainOptions& options);

}  // namespace splatwright
