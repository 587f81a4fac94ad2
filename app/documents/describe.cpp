#include "documents/describe.h"

#include <algorithm>
#include <sstream>

#include <CLI/CLI.hpp>

namespace splat::app {

namespace {

bool isLower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.'; }

bool isWord(std::string_view text) { return !text.empty() && std::ranges::all_of(text, isLower); }

/// Choices that stand in the name of the value: "1|2|auto", where words in capitals stand for values.
std::vector<ChoiceDescription> namedChoices(const std::string& value) {
    std::vector<ChoiceDescription> choices;
    if (value.find('|') == std::string::npos) return choices;
    std::istringstream words(value);
    for (std::string word; std::getline(words, word, '|');)
        if (isWord(word)) choices.push_back({word, ""});
    return choices;
}

/// Lines after the first describe a choice each: "name: help". Any other line goes on with the paragraph.
void addHelp(OptionDescription& option, const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const size_t colon = line.find(": ");
        const bool isChoice = !option.help.empty() && colon != std::string::npos && isWord(std::string_view(line).substr(0, colon));
        if (isChoice)
            option.choices.push_back({line.substr(0, colon), line.substr(colon + 2)});
        else
            option.help += (option.help.empty() ? "" : " ") + line;
    }
}

OptionDescription describe(const CLI::Option& from) {
    OptionDescription option{.names = {}, .value = "", .fallback = "", .help = "", .choices = {}, .group = from.get_group()};
    for (const std::string& name : from.get_snames()) option.names.push_back("-" + name);
    for (const std::string& name : from.get_lnames()) option.names.push_back("--" + name);
    if (from.get_type_size() != 0) {
        const std::string type = from.get_type_name();
        option.value = type.substr(0, type.find(':'));  // what follows are names of validators
        if (option.names.empty()) option.value = from.get_name(true);
        option.fallback = from.get_default_str() == "[]" ? "" : from.get_default_str();
    }
    option.required = from.get_required();
    addHelp(option, from.get_description());
    if (option.choices.empty()) option.choices = namedChoices(option.value);
    return option;
}

std::vector<OptionDescription> optionsOf(const CLI::App& app, bool positional) {
    std::vector<OptionDescription> options;
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty() && option->get_positional() == positional) options.push_back(describe(*option));
    return options;
}

}  // namespace

ProgramDescription describe(const CLI::App& app) {
    ProgramDescription program{.name = app.get_name(),
                               .summary = app.get_description(),
                               .version = app.version(),
                               .options = optionsOf(app, false),
                               .commands = {}};
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        program.commands.push_back(
            {command->get_name(), command->get_description(), optionsOf(*command, true), optionsOf(*command, false)});
    return program;
}

std::string quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + "'";
}

}  // namespace splat::app
