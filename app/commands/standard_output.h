#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace splat::app {

/// Prints to standard output without buffering. A failed write does not throw: see outputError().
void outputText(std::string_view text);

template <class... Args>
void output(fmt::format_string<Args...> text, Args&&... args) {
    outputText(fmt::format(text, std::forward<Args>(args)...));
}

/// errno of the first failed write to standard output; 0: none.
int outputError();

}  // namespace splat::app
