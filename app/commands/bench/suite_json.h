#pragma once

#include <nlohmann/json.hpp>

#include "commands/bench/suite_report.h"

namespace splat::app {

/// suite.json: every complete or merged run with its settings and figures, and the aggregates.
nlohmann::ordered_json suiteToJson(const SuiteReport& report);

}  // namespace splat::app
