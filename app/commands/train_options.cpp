#include "commands/train_options.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "commands/dataset_options.h"
#include "commands/options.h"
#include "commands/presets.h"
#include "commands/train_settings.h"
#include "core/parse_json.h"
#include "core/settings.h"
#include "render/backward.h"
#include "train/densify/densifier.h"
#include "train/setting_limits.h"

namespace splat::app {

namespace {

template <class Row>
std::string helpOfRows(std::span<const Row> table) {
    std::string text;
    for (const Row& row : table) text += fmt::format("\n{}: {}", row.name, row.help);
    return text;
}

std::string strategyHelp() { return helpOfRows(densifierTable()); }
std::string accumulationHelp() { return helpOfRows(accumulationTable()); }

/// Settings with an option of their own: what is changed from run to run.
struct NamedOption {
    std::string_view setting;
    const char* option;
    const char* value;                ///< what --help calls it; none: a flag
    std::string (*rows)() = nullptr;  ///< what there is to choose from, where a table says it
};
constexpr std::array kNamedOptions{
    NamedOption{"strategy", "--strategy", "NAME", strategyHelp},
    NamedOption{"steps", "--steps", "N"},
    NamedOption{"max_splats", "--max-splats", "N"},
    NamedOption{"checkpoint_every", "--checkpoint-every", "N"},
    NamedOption{"seed", "--seed", "S"},
    NamedOption{"accumulate", "--accumulate", "ROW", accumulationHelp},
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

/// An option's text as its setting's, within the setting's range. Only --downscale has a word of its own.
std::string settingTextOf(const NamedOption& option, const std::string& text) {
    if (option.setting == "downscale") return std::to_string(parseDownscale(text, option.option));
    TrainSettings scratch;
    setSetting(findSetting(settingFields(scratch), option.setting, option.option), text, option.option);
    return text;
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
            option.rows ? std::string(field.about.help) + option.rows() : helpOf(field))
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

/// What a strategy has otherwise than the list above.
std::string strategyDefaults(const DensifierRow& row) {
    TrainSettings own;
    row.defaults(own);
    return settingChanges({}, own);
}

std::string listStrategyDefaults() {
    std::string text;
    for (const DensifierRow& row : densifierTable()) {
        const std::string own = strategyDefaults(row);
        if (!own.empty()) text += fmt::format("\nStrategy {} has, unless told otherwise:{}\n", row.name, own);
    }
    return text;
}

std::string listPresets() {
    std::string text;
    for (const Preset& preset : presetTable()) {
        text += fmt::format("\n  {:<10}", preset.name);
        const auto settings = parseOrderedJson(preset.json, preset.name);
        for (const auto& [name, value] : settings.items()) {
            text += fmt::format(" {}={}", name, value.is_string() ? value.get<std::string>() : value.dump());
        }
    }
    return "\nPresets:" + text + "\n";
}

std::string presetHelp() {
    std::string names;
    for (const Preset& preset : presetTable()) names += fmt::format("{}, ", preset.name);
    return fmt::format("settings for a purpose: {}or a JSON file like that of --config, which goes over it", names);
}

}  // namespace

void addTrainOptions(CLI::App& command, TrainOptions& options) {
    command.add_option("DATA", options.data, "dataset: a COLMAP folder, a folder with transforms.json, or that file")
        ->required()
        ->type_name("");
    command.add_option("-o,--out", options.out, "folder for splats.ply, metrics.json, log.jsonl, strip.png and checkpoint.splat-ckpt")
        ->required()
        ->type_name("OUT");
    command.add_flag("--force", options.force, "overwrite the run that OUT holds");
    command.add_flag("--view", options.view, "in the viewer, which shows and controls the run; OUT gets the same files");
    command
        .add_option("--resume", options.resume,
                    "go on from this checkpoint with its settings, up to --steps; DATA as before, OUT the same folder or another")
        ->type_name("FILE");
    addDatasetOptions(command, options.reading);
    addNumbers(command, "--eval-at", options.evalAt, {1, kMostSteps}, "also evaluate after these steps");
    command.add_option("--preset", options.preset, presetHelp())->type_name("NAME|FILE");
    command
        .add_option("--config", options.config,
                    "settings from a JSON object, or from the metrics.json of a run; options and --set go over them")
        ->type_name("FILE.json");
    command.add_option("--set", options.assignments, "sets any setting by its name; repeatable")
        ->allow_extra_args(false)
        ->type_name("KEY=VALUE");
    TrainSettings defaults;
    const auto fields = settingFields(defaults);
    for (const NamedOption& option : kNamedOptions) addNamedOption(command, option, findSetting(fields, option.setting, "train"), options);
    addNumber(command, "--hold-at", options.holdAt, {1, kMostSteps}, "")->group("");
    command.footer(listOtherSettings(fields) + listStrategyDefaults() + listPresets());
}

bool isSettingOption(std::string_view option) {
    return std::ranges::any_of(kNamedOptions, [&](const NamedOption& row) { return row.option == option; });
}

}  // namespace splat::app
