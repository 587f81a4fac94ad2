#pragma once

#include <optional>
#include <span>
#include <string>

#include "commands/bench/suite_run.h"

namespace splat::app {

/// Says which complete runs are of different builds of the program, because one table never mixes them; none if all are of one. willTrain: this
/// program adds runs to them.
std::optional<std::string> mixedBuilds(std::span<const SuiteRun> runs, bool willTrain);

}  // namespace splat::app
