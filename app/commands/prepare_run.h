#pragma once

#include <optional>

#include <splatwright/prepare/prepare.h>
#include "commands/context.h"
#include "commands/interrupt.h"

namespace splat::app {

/// Makes a dataset with progress on standard error, and prints what came of it to standard output. Throws what prepareDataset() throws, and
/// Interrupted.
void runPreparation(Context& context, const prepare::Settings& settings, const Interrupt& interrupt);

}  // namespace splat::app
