#include "commands/train_options.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "commands/parse.h"
#include "core/settings.h"
#include "render/backward.h"
#include "scene/datasets/json_reader.h"

namespace splat::app {

namespace {

constexpr std::array<std::string_view, 1> kStrategies{"fixed"};

/// Settings with an option of their own: what is changed from run to run.
struct NamedOption {
    std::string_view setting;
    const char* option;
    const char* value;  ///< what --help calls it; none: a flag
};
constexpr std::array kNamedOptions{
    NamedOption{"strategy", "--strategy", "NAME"},
    NamedOption{"steps", "--steps", "N"},
    NamedOption{"seed", "--seed", "S"},
    NamedOption{"accumulate", "--accumulate", "ROW"},
    NamedOption{"deterministic", "--deterministic", ""},
    NamedOption{"background", "--background", "R,G,B"},
    NamedOption{"init", "--init", "NAME"},
    NamedOption{"downscale", "--downscale", "1|2|4|8|auto"},
    NamedOption{"test_every", "--test-every", "N"},
};

std::string helpOf(const SettingField& field) {
    const std::string limits = settingLimits(field);
    return limits.empty() ? std::string(field.about.help) : fmt::format("{} ({})", field.about.help, limits);
}

/// An option's text as its setting's: only --downscale has a word of its own.
std::string settingTextOf(const NamedOption& option, const std::string& text) {
    return option.setting == "downscale" ? std::to_string(parseDownscale(text, option.option)) : text;
}

void addNamedOption(CLI::App& command, const NamedOption& option, const SettingField& field, TrainOptions& options) {
    const std::string setting(field.name);
    const std::string group(field.about.group);
    if (option.value[0] == '\0') {
        command
            .add_flag_callback(
                option.option, [&options, setting] { options.named.emplace_back(setting, "true"); }, helpOf(field))
            ->group(group);
        return;
    }
    command
        .add_option_function<std::string>(
            option.option,
            [&options, &option, setting](const std::string& text) { options.named.emplace_back(setting, settingTextOf(option, text)); },
            helpOf(field))
        ->group(group)
        ->type_name(option.value)
        ->default_str(settingText(field));
}

/// The settings that only --set and --config reach, by subject.
std::string listOtherSettings(const std::vector<SettingField>& fields) {
    std::string text = "Settings for --set KEY=VALUE and --config (which take those of the options above too, by name):";
    std::string_view group;
    for (const SettingField& field : fields) {
        if (std::ranges::find(kNamedOptions, field.name, &NamedOption::setting) != kNamedOptions.end()) continue;
        if (field.about.group != group) text += fmt::format("\n{}:", group = field.about.group);
        text += fmt::format("\n  {:<35} {}", fmt::format("{}={}", field.name, settingText(field)), helpOf(field));
    }
    return text + "\n";
}

/// Applies the command line's assignments and remembers their names; the same setting twice contradicts itself.
void assign(const std::vector<SettingField>& fields, const TrainOptions& options, std::set<std::string>& given) {
    std::set<std::string_view> seen;
    const auto set = [&](std::string_view key, std::string_view value, const std::string& where) {
        const SettingField& field = findSetting(fields, key, where);
        if (!seen.insert(field.name).second) throw InputError("{}: {} is given twice, expected once", where, field.name);
        setSetting(field, value, where);
        given.emplace(field.name);
    };
    for (const auto& [setting, text] : options.named) set(setting, text, "train");
    for (const std::string& text : options.assignments) {
        const Assignment assignment = parseAssignment(text, "--set");
        set(assignment.key, assignment.value, "--set");
    }
}

/// The row that a deterministic run takes when none is asked for.
std::string deterministicRow() {
    for (const AccumulationRow& row : accumulationTable()) {
        if (row.deterministic) return std::string(row.name);
    }
    throw Error("no accumulation row is deterministic");
}

/// What single values cannot say.
void checkTogether(TrainSettings& settings, const std::set<std::string>& given) {
    if (std::ranges::find(kStrategies, settings.strategy) == kStrategies.end()) {
        throw InputError("strategy is '{}', expected one of {}", settings.strategy, fmt::join(kStrategies, ", "));
    }
    if (settings.downscale != 0) parseDownscale(std::to_string(settings.downscale), "downscale");
    if (settings.deterministic && !given.contains("accumulate")) settings.accumulate = deterministicRow();
    const AccumulationRow& row = accumulationByName(settings.accumulate);
    if (settings.deterministic && !row.deterministic) {
        throw InputError("deterministic: accumulate is '{}', which is not, expected '{}'", row.name, deterministicRow());
    }
}

}  // namespace

void addTrainOptions(CLI::App& command, TrainOptions& options) {
    command.add_option("DATA", options.data, "dataset: a COLMAP folder, a folder with transforms.json, or that file")
        ->required()
        ->type_name("");
    command.add_option("-o,--out", options.out, "folder for splats.ply, metrics.json, log.jsonl and strip.png")
        ->required()
        ->type_name("OUT");
    command.add_flag("--force", options.force, "overwrite the run that OUT holds");
    command.add_option("--images", options.images, "other folder of the same views")->type_name("DIR");
    command.add_option("--eval-at", options.evalAt, "also evaluate after these steps")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("N,...");
    command.add_option("--config", options.config, "settings from a JSON object; options and --set go first")->type_name("FILE.json");
    command.add_option("--set", options.assignments, "sets any setting by its name; repeatable")
        ->allow_extra_args(false)
        ->type_name("KEY=VALUE");
    TrainSettings defaults;
    const auto fields = settingFields(defaults);
    for (const NamedOption& option : kNamedOptions) addNamedOption(command, option, findSetting(fields, option.setting, "train"), options);
    command.footer(listOtherSettings(fields));
}

TrainSettings resolveSettings(const TrainOptions& options) {
    TrainSettings settings;
    const auto fields = settingFields(settings);
    std::set<std::string> given;
    if (!options.config.empty()) {
        for (std::string& name : settingsFromJson(fields, readJson(options.config), options.config)) given.insert(std::move(name));
    }
    assign(fields, options, given);
    checkTogether(settings, given);
    return settings;
}

}  // namespace splat::app
