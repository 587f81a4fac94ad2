#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "commands/context.h"

namespace CLI {  // NOLINT: CLI11's name
class App;
}

namespace splat::app {

/// The exit codes of the command line's contract.
enum class Exit { done = 0, failed = 1, usage = 2, validation = 3, hungUp = 129, interrupted = 130, terminated = 143 };

using Run = std::function<Exit(Context&)>;

/// A command, listed by --help. Each is a file that defines its row, and the row's name in the table.
struct Command {
    const char* name;
    const char* summary;
    bool captures = false;          ///< has steps or frames for --capture
    Run (*add)(CLI::App& command);  ///< declares the options and returns the function that runs the command
};

std::span<const Command* const> commandTable();

}  // namespace splat::app
