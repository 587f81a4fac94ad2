#pragma once

#include <optional>
#include <span>
#include <string>

#include "commands/bench/suite_merge.h"

namespace splat::app {

/// Says which runs that are complete or merged are of different builds of the program, because one table never mixes them; none if all are of one. willTrain: this
/// program adds runs to them.
std::optional<std::string> mixedBuilds(std::span<const SuiteRun> runs, std::span<const MergedRun> merged, bool willTrain);

}  // namespace splat::app
