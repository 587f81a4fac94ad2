#pragma once

#include <spdlog/spdlog.h>

namespace splat {

enum class Verbosity { quiet, normal, verbose };

/// Sends log lines to standard error; results that a program may read go to standard output and never through the log.
void setUpLog(Verbosity verbosity);

}  // namespace splat
