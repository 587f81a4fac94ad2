#pragma once

#include "commands/command.h"

namespace splat::app {

/// Declares the options of `bench train` and returns the function that runs it.
Run addBenchTrain(CLI::App& command);

}  // namespace splat::app
