#pragma once

#include <span>
#include <vector>

#include <splatwright/train/suite/suite_results.h>
#include "commands/bench/suite_run.h"
#include "commands/bench/svg_chart.h"

namespace splat::app {

/// Two charts per scene, from the logs of its complete runs: PSNR over training time, and splats over steps. A colour per preset, a line per seed.
std::vector<Chart> suiteCurves(std::span<const SuiteRun> runs, const SuiteResults& results);

}  // namespace splat::app
