#include "commands/train/resume_line.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <splatwright/core/shell_quoted.h>
#include "commands/train/train_options.h"

namespace splat::app {

namespace {

/// Besides the settings that have an option of their own.
constexpr std::array<std::string_view, 8> kOnlyOnce{"--preset", "--quality", "--budget-mib", "--config",
                                                    "--set",    "--resume",  "--force",      "--capture"};

std::string longName(const CLI::Option& option) {
    const auto& names = option.get_lnames();
    return names.empty() ? "" : "--" + names.front();
}

/// Other words than options must not look like one.
std::string argument(const std::string& word) { return shellQuoted(word.starts_with('-') ? "./" + word : word); }

std::string valued(const std::string& name, const std::string& value) {
    return fmt::format("{}{}{}", name, value.starts_with('-') ? '=' : ' ', shellQuoted(value));
}

std::string textOf(const CLI::Option& option) {
    std::string text;
    const std::string name = longName(option);
    const bool flag = option.get_items_expected_max() == 0;
    for (const std::string& value : option.results()) {
        text += " " + (option.get_positional() ? argument(value) : flag ? name : valued(name, value));
        if (flag) break;
    }
    return text;
}

}  // namespace

std::string commandLineAgain(const CLI::App& train, const std::string& program) {
    std::string text = shellQuoted(program) + " " + train.get_name();
    for (const CLI::App* app : {&train, train.get_parent()}) {
        for (const CLI::Option* option : app->get_options()) {
            const std::string name = longName(*option);
            const bool onlyOnce = std::ranges::find(kOnlyOnce, name) != kOnlyOnce.end() || isSettingOption(name);
            if (option->count() > 0 && !option->get_group().empty() && !onlyOnce) text += textOf(*option);
        }
    }
    return text;
}

std::string resumeLine(const std::string& again, const std::filesystem::path& checkpoint) {
    return fmt::format("{} {}", again, valued("--resume", checkpoint.string()));
}

}  // namespace splat::app
