#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splat {

/// A program to run and what becomes of its output.
struct ChildCommand {
    /// The program, found on the PATH unless it contains a slash, and its arguments. No shell reads them.
    std::vector<std::string> arguments;
    std::filesystem::path log;                            ///< the command line, for a shell, and all lines are appended to it; empty: none
    std::function<void(std::string_view line)> onLine{};  ///< per line of both outputs; the bytes are the program's own
    std::function<void(std::span<const std::byte>)> onOutput{};  ///< takes standard output as bytes; lines are then standard error's only
    std::function<void()> check{};                               ///< called ten times a second while the program runs
    /// Gives the next bytes of the program's standard input when it can take some; they must stay until the next call. None end it, and it is not
    /// called again once the program has closed it. Without this function, the program has no input.
    std::function<std::span<const std::byte>()> input{};
};

/// How a program ended, and the last lines that it printed.
struct ChildResult {
    int code = 0;    ///< exit status; meaningless after a signal
    int signal = 0;  ///< signal that ended it; 0: none
    std::string lastLines;

    bool succeeded() const { return signal == 0 && code == 0; }
    /// "exit code 1" or "ended by signal 9 (Killed)".
    std::string ending() const;
    /// Whether somebody else has ended it at once, as the system does when memory runs out.
    bool wasKilled() const { return signal == 9; }  // SIGKILL on every system that has signals
};

/// Runs a program in a process group of its own until it ends. An exception of a callback ends the group (SIGINT, SIGTERM, then
/// SIGKILL after two seconds each) and is thrown on. Throws Error if the program cannot be started, the log cannot be
/// written, or SIGCHLD is ignored, so that its end cannot be known.
ChildResult runChild(const ChildCommand& command);

/// File of a program that is on the PATH, or of a path that contains a slash; empty if there is none that can be executed.
std::filesystem::path findProgram(const std::string& name);

/// A path that no program mistakes for an option.
std::string asArgument(const std::filesystem::path& path);

}  // namespace splat
