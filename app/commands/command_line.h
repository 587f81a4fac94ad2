#pragma once

#include <string>
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
    /// Takes the program's name and its arguments. Parses, runs the command and returns its exit code; never throws.
    Exit run(const std::vector<std::string>& words);

private:
    void add(const Command& row);
    Exit parse(const std::vector<std::string>& words);
    Exit runCommand();

    GlobalOptions options_;
    CLI::App app_{"Trains and renders 3D Gaussian splats on any Vulkan GPU, or without one.", "splatwright"};
    std::vector<std::pair<const CLI::App*, Run>> commands_;
};

}  // namespace splat::app
