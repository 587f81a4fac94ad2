#pragma once

#include <functional>
#include <string_view>

/// Messages of the library that are no errors: what was found in a dataset, what a training adapts, what was wrong but did not end it.
namespace splatwright {

enum class LogLevel {
    info,     ///< what happens
    warning,  ///< a result may be worse than expected
    error,    ///< something is lost, such as a file that could not be written while a training fails
};

/// Receives a message, one line of UTF-8 without line end; from any thread, one call at a time. It must not call the library.
using Log = std::function<void(LogLevel level, std::string_view message)>;

/// Sends messages to a function from now on; an empty one drops them. Without a call they go to standard output, by spdlog's default logger, which this
/// replaces.
void setLog(Log log);

}  // namespace splatwright
