#pragma once

#include <functional>
#include <string_view>

#include "commands/context.h"

namespace CLI {  // NOLINT: CLI11's name
class App;
}

namespace splat::app {

/// The exit codes of the command line's contract.
enum class Exit { done = 0, failed = 1, usage = 2, validation = 3, hungUp = 129, interrupted = 130, terminated = 143 };

using Run = std::function<Exit(Context&)>;

/// A row of the command table: what --help lists and main runs.
struct Command {
    const char* name;
    const char* summary;
    bool captures;                  ///< has steps or frames for --capture
    Run (*add)(CLI::App& command);  ///< declares the options and answers with what runs them once they are parsed
};

}  // namespace splat::app
