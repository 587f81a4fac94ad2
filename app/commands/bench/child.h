#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace splat::app {

/// How a process ended.
struct ChildEnd {
    int exitCode = 0;  ///< -1 if a signal ended it
    int signal = 0;

    bool succeeded() const { return exitCode == 0; }
    /// "exit code 1" or "signal 11 (Segmentation fault)".
    std::string text() const;
};

/// Runs `train` of this program with these arguments, in a process group of its own, with no input and its output in a file. Asks 20 times a second
/// whether to stop it, then asks it once to save its state (SIGTERM) and waits for its end. Throws Error if it cannot be started or its end is unknown.
ChildEnd trainInChild(const std::vector<std::string>& arguments, const std::filesystem::path& outputFile,
                      const std::function<bool()>& stops);

/// The last line of a file that is not blank, printable; empty if there is none.
std::string lastLine(const std::filesystem::path& file);

}  // namespace splat::app
