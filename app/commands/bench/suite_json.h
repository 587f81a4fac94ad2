#pragma once

#include <optional>
#include <span>

#include <nlohmann/json.hpp>

#include <splatwright/train/suite/suite_results.h>
#include "commands/bench/suite_run.h"

namespace splat::app {

/// suite.json: every complete run with its settings and figures, and the aggregates. base: the preset that the others are compared to.
nlohmann::ordered_json suiteToJson(std::span<const SuiteRun> runs, const SuiteResults& results, std::optional<size_t> base);

}  // namespace splat::app
