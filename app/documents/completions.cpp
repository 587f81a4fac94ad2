#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "documents/describe.h"

// Completions of shells: commands, their options, and values that are names of a list. Any other value may be a file.
namespace splat::app {

namespace {

std::vector<std::string> commandNames(const ProgramDescription& program) {
    std::vector<std::string> names;
    for (const CommandDescription& command : program.commands) names.push_back(command.name);
    return names;
}

std::vector<std::string> choiceNames(const OptionDescription& option) {
    std::vector<std::string> names;
    for (const ChoiceDescription& choice : option.choices) names.push_back(choice.name);
    return names;
}

std::string allNames(const std::vector<OptionDescription>& options) {
    std::vector<std::string> names;
    for (const OptionDescription& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
    return fmt::format("{}", fmt::join(names, " "));
}

/// Cases of bash: values of the options that have choices, of a command or (with *) of any.
std::string bashChoices(std::string_view command, const std::vector<OptionDescription>& options) {
    std::string text;
    for (const OptionDescription& option : options) {
        if (option.choices.empty()) continue;
        std::vector<std::string> patterns;
        for (const std::string& name : option.names) patterns.push_back(fmt::format("{}:{}", command, name));
        text += fmt::format("        {}) choices={} ;;\n", fmt::join(patterns, " | "),
                            quoted(fmt::format("{}", fmt::join(choiceNames(option), " "))));
    }
    return text;
}

std::string escaped(std::string_view text, std::string_view special) {
    std::string result;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

/// "--steps[help]:N:_files", once per name.
std::string zshOption(const OptionDescription& option) {
    std::string value;
    if (!option.value.empty()) {
        std::vector<std::string> choices;
        for (const ChoiceDescription& choice : option.choices)
            choices.push_back(escaped(choice.name, ":") + (choice.help.empty() ? "" : "\\:" + quoted(escaped(choice.help, "\"\\"))));
        value =
            fmt::format(":{}:{}", escaped(option.value, ":"), choices.empty() ? "_files" : fmt::format("(({}))", fmt::join(choices, " ")));
    }
    std::string text;
    for (const std::string& name : option.names)
        text += fmt::format("        {}\n", quoted(fmt::format("{}[{}]{}", name, escaped(option.help, "[]\\"), value)));
    return text;
}

std::string zshOptions(const std::vector<OptionDescription>& options) {
    std::string text;
    for (const OptionDescription& option : options) text += zshOption(option);
    return text;
}

/// A line of fish; `condition` is empty for options of all commands.
std::string fishOption(const ProgramDescription& program, const std::string& condition, const OptionDescription& option) {
    std::string text = fmt::format("complete -c {}", program.name);
    if (!condition.empty()) text += " -n " + quoted(condition);
    for (const std::string& name : option.names) text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.choices.empty())
        text += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(choiceNames(option), " "))));
    else if (!option.value.empty())
        text += " -r -F";
    return text + " -d " + quoted(option.help) + "\n";
}

}  // namespace

std::string bashCompletion(const ProgramDescription& program) {
    std::string values = bashChoices("*", program.options), options;
    for (const CommandDescription& command : program.commands) {
        values += bashChoices(command.name, command.options);
        options += fmt::format("        {}) options+={} ;;\n", command.name, quoted(" " + allNames(command.options)));
    }
    const auto names = commandNames(program);
    return fmt::format(R"(# Completion of {0} for bash.
_{0}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command='' choices='' i
    local options={1}
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case ${{COMP_WORDS[i]}} in {2}) command=${{COMP_WORDS[i]}} && break ;; esac
    done
    case $command:$before in
{3}    esac
    case $command in
{5}    esac
    if [[ -n $choices ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [[ -z $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W {4} -- "$word")
    fi
}}
complete -o default -o bashdefault -F _{0} {0}
)",
                       program.name, quoted(allNames(program.options)), fmt::join(names, " | "), values,
                       quoted(fmt::format("{}", fmt::join(names, " "))), options);
}

std::string zshCompletion(const ProgramDescription& program) {
    std::string summaries, cases;
    for (const CommandDescription& command : program.commands) {
        summaries += fmt::format("        {}\n", quoted(escaped(command.name, ":") + ":" + command.summary));
        cases += fmt::format("        {}) own=(\n{}        ) ;;\n", command.name, zshOptions(command.options));
    }
    return fmt::format(R"(#compdef {0}
# Completion of {0} for zsh.
_{0}() {{
    local curcontext=$curcontext state line
    local -a commands own shared
    commands=(
{1}    )
    shared=(
{2}    )
    _arguments -C $shared '1:command:->command' '*::argument:->argument' && return
    if [[ $state == command ]]; then
        _describe command commands
        return
    fi
    case $line[1] in
{3}    esac
    _arguments $shared $own '*:file:_files'
}}
_{0} "$@"
)",
                       program.name, summaries, zshOptions(program.options), cases);
}

std::string fishCompletion(const ProgramDescription& program) {
    std::string text = fmt::format("# Completion of {} for fish.\n", program.name);
    for (const CommandDescription& command : program.commands)
        text +=
            fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", program.name, command.name, quoted(command.summary));
    for (const OptionDescription& option : program.options) text += fishOption(program, "", option);
    for (const CommandDescription& command : program.commands)
        for (const OptionDescription& option : command.options)
            text += fishOption(program, "__fish_seen_subcommand_from " + command.name, option);
    return text;
}

}  // namespace splat::app
