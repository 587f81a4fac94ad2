#pragma once

#include <filesystem>
#include <string>

namespace CLI {  // NOLINT: CLI11's name
class App;
}

namespace splat::app {

/// The command line that was parsed, to be given again with --resume: settings are left out, because the checkpoint has them, and so is what
/// was for this start only. program: as it was called.
std::string commandLineAgain(const CLI::App& train, const std::string& program);

/// A line for a shell that goes on from the checkpoint. again: what commandLineAgain() said.
std::string resumeLine(const std::string& again, const std::filesystem::path& checkpoint);

}  // namespace splat::app
