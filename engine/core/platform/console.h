#pragma once

#include <cstddef>

namespace splat::platform {

/// Turns failed writes (a closed pipe, a limit on file sizes) into errors instead of signals, keeps files from getting the descriptor of a closed
/// standard stream, and lets terminals show UTF-8 and colours. Call at the start of main().
void prepareStreams();

/// Whether the console was made for this program alone: a desktop has started it, and closes its window when it ends.
bool ownsConsole();
/// Whether standard error goes to a terminal.
bool isTerminal();
/// Columns of the terminal that standard error goes to; 80 if they are not known.
size_t terminalColumns();

}  // namespace splat::platform
