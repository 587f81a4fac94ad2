#pragma once

#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands/command.h"

namespace splat::app {

/// All commands and options, declared with CLI11.
class CommandLine {
public:
    CommandLine();

    CLI::App& app() { return app_; }
    /// Parses, runs the command and returns its exit code; never throws.
    Exit run(int argc, char** argv);

private:
    void add(const Command& row);
    Exit parse(int argc, char** argv);
    Exit runCommand();

    GlobalOptions options_;
    CLI::App app_{"Trains and renders 3D Gaussian splats on any Vulkan GPU, or without one.", "splatwright"};
    std::vector<std::pair<const CLI::App*, Run>> commands_;
};

}  // namespace splat::app
