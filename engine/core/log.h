#pragma once

#include <string>
#include <string_view>

#include <spdlog/spdlog.h>

#include <splatwright/core/names.h>

namespace splat {

enum class Verbosity { quiet, normal, verbose };

/// Sends log lines to standard error; results that a program may read go to standard output and never through the log. `text` turns each
/// message into one printable line.
void setUpLog(Verbosity verbosity, std::string (*text)(std::string_view) = printable);

}  // namespace splat
