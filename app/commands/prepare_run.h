#pragma once

#include <string>

#include <splatwright/prepare/prepare.h>
#include "commands/context.h"
#include "commands/interrupt.h"

namespace splat::app {

/// Makes a dataset with progress on standard error, and prints what came of it to standard output. `format`: of the dataset that the input is; empty:
/// photographs or a video. Throws what prepareDataset() and copyDataset() throw, and Interrupted.
void runPreparation(Context& context, const prepare::Settings& settings, const Interrupt& interrupt, const std::string& format = {});

}  // namespace splat::app
