#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace splat::app {

/// Turns failed writes (a closed pipe, a limit on file sizes) into errors instead of signals, and keeps files from getting the descriptor of a closed
/// standard stream. Call at the start of main().
void prepareStreams();

/// Prints to standard output without buffering. A failed write does not throw: see outputError().
void outputText(std::string_view text);

template <class... Args>
void output(fmt::format_string<Args...> text, Args&&... args) {
    outputText(fmt::format(text, std::forward<Args>(args)...));
}

/// errno of the first failed write to standard output; 0: none.
int outputError();

}  // namespace splat::app
