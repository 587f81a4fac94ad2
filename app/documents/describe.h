#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT: CLI11's name
class App;
}

namespace splat::app {

struct ChoiceDescription {
    std::string name;
    std::string help;  ///< may be empty
};

/// An option, a flag or a positional argument, as --help shows it.
struct OptionDescription {
    std::vector<std::string> names;  ///< "-o", "--out"; none of a positional argument
    std::string value;               ///< "N"; empty: a flag
    std::string fallback;            ///< default, as text; may be empty
    std::string help;                ///< one paragraph
    std::vector<ChoiceDescription> choices;
    std::string group;
    bool required = false;
};

struct CommandDescription {
    std::string name;
    std::string summary;
    std::vector<OptionDescription> arguments;  ///< positional
    std::vector<OptionDescription> options;
};

/// The command line, from the declarations that parse it: nothing that is hidden from --help.
struct ProgramDescription {
    std::string name, summary, version;
    std::vector<OptionDescription> options;  ///< before or after any command
    std::vector<CommandDescription> commands;
};

ProgramDescription describe(const CLI::App& app);

/// Name of a command's man page: "splatwright-train".
std::string pageName(const ProgramDescription& program, const CommandDescription& command);

// Documents of it, each the content of a file.
std::string programManual(const ProgramDescription& program);
std::string commandManual(const ProgramDescription& program, const CommandDescription& command);
std::string bashCompletion(const ProgramDescription& program);
std::string zshCompletion(const ProgramDescription& program);
std::string fishCompletion(const ProgramDescription& program);

/// Text in single quotes, as bash, zsh and fish read it.
std::string quoted(std::string_view text);

}  // namespace splat::app
