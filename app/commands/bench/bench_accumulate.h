#pragma once

#include "commands/command.h"

namespace splat::app {

/// Declares the options of `bench accumulate` and returns the function that runs it.
Run addBenchAccumulate(CLI::App& command);

}  // namespace splat::app
