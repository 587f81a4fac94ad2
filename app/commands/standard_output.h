#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace splat::app {

/// Makes failed writes errors instead of the end of the process (a closed pipe, a limit on file sizes), and keeps files from getting the
/// descriptor of a standard stream that is closed. For the start of main().
void prepareStreams();

/// Prints to standard output, at once. A write that fails ends nothing: see outputError().
void outputText(std::string_view text);

template <class... Args>
void output(fmt::format_string<Args...> text, Args&&... args) {
    outputText(fmt::format(text, std::forward<Args>(args)...));
}

/// errno of the first write to standard output that failed, whoever made it; 0: none did.
int outputError();

}  // namespace splat::app
