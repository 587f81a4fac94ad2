#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "documents/describe.h"

// Pages of man(7), one for the program and one for each command.
namespace splat::app {

namespace {

struct ExitRow {
    int code;
    const char* meaning;
};

/// The contract of enum class Exit.
constexpr std::array<ExitRow, 7> kExits{
    {{0, "Done."},
     {1, "The work failed: what could be saved is saved, and the message says where."},
     {2, "Wrong usage or unreadable input; the message names file, property, what was found and what was expected."},
     {3, "A validation message, with --validate."},
     {129, "Ended by SIGHUP, after what was done is saved."},
     {130, "Ended by SIGINT, likewise."},
     {143, "Ended by SIGTERM, likewise."}}};

/// Text as roff prints it: hyphens that can be copied, no requests.
std::string roff(std::string_view text) {
    std::string result;
    for (const char c : text) result += c == '-' ? "\\-" : c == '\\' ? "\\e" : std::string(1, c);
    return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string capitals(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string head(const ProgramDescription& program, const std::string& page, const std::string& summary, const std::string& synopsis) {
    return fmt::format(".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n", roff(capitals(page)),
                       roff("Splatwright " + program.version), roff(page), roff(summary), synopsis);
}

/// "\fB-o\fR, \fB--out\fR \fIOUT\fR [x]"
std::string label(const OptionDescription& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.names) names.push_back("\\fB" + roff(name) + "\\fR");
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (!option.value.empty()) text += (text.empty() ? "" : " ") + ("\\fI" + roff(option.value) + "\\fR");
    if (!option.fallback.empty()) text += " [" + roff(option.fallback) + "]";
    return option.required ? text + " (required)" : text;
}

std::string entry(const OptionDescription& option) {
    std::string text = fmt::format(".TP\n{}\n{}\n", label(option), roff(option.help));
    const bool explains = std::ranges::any_of(option.choices, [](const ChoiceDescription& c) { return !c.help.empty(); });
    if (!explains) return text;
    text += ".RS\n";
    for (const ChoiceDescription& choice : option.choices)
        text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(choice.name), roff(choice.help));
    return text + ".RE\n";
}

/// Options under the headings of their groups, in the order of --help.
std::string entries(const std::vector<OptionDescription>& options) {
    std::string text, group;
    for (const OptionDescription& option : options) {
        if (option.group != group && option.group != "Options") text += fmt::format(".SS {}\n", roff(option.group));
        group = option.group;
        text += entry(option);
    }
    return text;
}

std::string exits() {
    std::string text = ".SH EXIT STATUS\n";
    for (const ExitRow& row : kExits) text += fmt::format(".TP\n.B {}\n{}\n", row.code, roff(row.meaning));
    return text;
}

std::string reference(const std::string& page) { return fmt::format("\\fB{}\\fR(1)", roff(page)); }

}  // namespace

std::string pageName(const ProgramDescription& program, const CommandDescription& command) { return program.name + "-" + command.name; }

std::string programManual(const ProgramDescription& program) {
    const std::string synopsis = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR] \\fICOMMAND\\fR ...", roff(program.name));
    std::string text = head(program, program.name, program.summary, synopsis) + ".SH COMMANDS\n";
    for (const CommandDescription& command : program.commands)
        text += fmt::format(".TP\n{}\n{}\n", reference(pageName(program, command)), roff(command.summary));
    return text + ".SH OPTIONS\n" + entries(program.options) + exits();
}

std::string commandManual(const ProgramDescription& program, const CommandDescription& command) {
    std::string synopsis = fmt::format("\\fB{} {}\\fR [\\fIOPTIONS\\fR]", roff(program.name), roff(command.name));
    for (const OptionDescription& argument : command.arguments) synopsis += " \\fI" + roff(argument.value) + "\\fR";
    std::string text = head(program, pageName(program, command), command.summary, synopsis);
    if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
    for (const OptionDescription& argument : command.arguments) text += entry(argument);
    text += ".SH OPTIONS\n" + entries(command.options);
    return text + exits() + ".SH SEE ALSO\n" + reference(program.name) + " has the options of all commands.\n";
}

}  // namespace splat::app
