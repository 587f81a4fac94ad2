#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/core/child_process.h>
#include <splatwright/prepare/observer.h>

namespace splat::prepare {

/// An option of a command of COLMAP. Versions name it differently: the first name that the command knows is used.
struct ColmapOption {
    std::vector<std::string> names;  ///< without dashes
    std::string value;
    bool needed = false;  ///< otherwise a version without it does without it
};

/// Names of the options in the help of a command, without dashes.
std::set<std::string> optionsInHelp(std::string_view help);

/// "3.8" from "COLMAP 3.8 -- Structure-from-Motion"; empty if there is none.
std::string versionInHelp(std::string_view help);

/// COLMAP's program and what it can do, which it is asked.
class Colmap {
public:
    /// Throws Error if the program prints no help of COLMAP. Lines of all runs are appended to the log.
    Colmap(std::filesystem::path program, std::filesystem::path log, Observer& observer);

    const std::string& version() const { return version_; }
    /// Whether it is built with CUDA and there is an NVIDIA device: without CUDA, COLMAP's GPU code needs a display.
    bool usesGpu() const { return gpu_; }
    bool hasCommand(const std::string& command) const { return commands_.contains(command); }
    /// Runs a command. Throws Error if an option that is needed is missing.
    ChildResult run(const std::string& command, const std::vector<ColmapOption>& options,
                    const std::function<void(std::string_view)>& onLine = {}) const;

private:
    std::string helpOf(std::vector<std::string> arguments) const;

    std::filesystem::path program_, log_;
    Observer& observer_;
    std::string version_;
    std::set<std::string> commands_;
    bool gpu_ = false;
};

/// Throws Error, saying how the command ended, its last lines and the log, unless it succeeded.
void requireSuccess(const ChildResult& result, const std::string& what, const std::filesystem::path& log);

}  // namespace splat::prepare
