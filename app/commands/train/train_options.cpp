#include "commands/train/train_options.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>
#include <splatwright/render/backward.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/presets/presets.h>
#include <splatwright/train/settings/setting_limits.h>
#include "commands/dataset_options.h"
#include "commands/options.h"

namespace splat::app {

namespace {

constexpr uint32_t kMostBudget = 1u << 20u;  // MiB

template <class Row>
std::string helpOfRows(std::span<const Row* const> table) {
    std::string text;
    for (const Row* row : table) text += fmt::format("\n{}: {}", row->name, row->help);
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
    NamedOption{"accumulate", "--accumulate", "NAME", accumulationHelp},
    NamedOption{"deterministic", "--deterministic", ""},
    NamedOption{"transients", "--transients", ""},
    NamedOption{"background", "--background", "R,G,B"},
    NamedOption{"init", "--init", "NAME|FILE"},
    NamedOption{"region", "--region", "BOX"},
    NamedOption{"downscale", "--downscale", "1|2|4|8|auto"},
    NamedOption{"test_every", "--test-every", "N"},
};

/// Those of `fit`.
constexpr std::array kFitOptions{
    NamedOption{"steps", "--steps", "N"},
    NamedOption{"max_splats", "--splats", "N"},
    NamedOption{"checkpoint_every", "--checkpoint-every", "N"},
    NamedOption{"seed", "--seed", "S"},
    NamedOption{"accumulate", "--accumulate", "NAME", accumulationHelp},
    NamedOption{"deterministic", "--deterministic", ""},
    NamedOption{"background", "--background", "R,G,B"},
};

std::string helpOf(const SettingField& field) {
    const std::string limits = settingLimits(field);
    return limits.empty() ? std::string(field.about.help) : fmt::format("{} ({})", field.about.help, limits);
}

/// `option` must outlive the command.
void addNamedOption(CLI::App& command, const NamedOption& option, const SettingField& field, TrainOptions& options) {
    const std::string group(field.about.group);
    if (option.value[0] == '\0') {
        command
            .add_flag_callback(
                option.option, [&options, &option] { options.named.emplace_back(option.setting, "true"); }, helpOf(field))
            ->group(group);
        return;
    }
    command
        .add_option_function<std::string>(
            option.option,
            [&options, &option](const std::string& text) {
                if (option.setting == "downscale") {  // has a word of its own
                    options.named.emplace_back(option.setting, std::to_string(parseDownscale(text, option.option)));
                    return;
                }
                TrainSettings scratch;  // to check the setting's range
                setSetting(findSetting(settingFields(scratch), option.setting, option.option), text, option.option);
                options.named.emplace_back(option.setting, text);
            },
            option.rows ? std::string(field.about.help) + option.rows() : helpOf(field))
        ->group(group)
        ->type_name(option.value)
        ->default_str(settingText(field));
}

/// The settings that only --set and --config reach, by subject.
std::string listOtherSettings(const std::vector<SettingField>& fields, std::span<const NamedOption> named) {
    std::string text = "Settings for --set KEY=VALUE and --config, which also accept those of the options above, by name:";
    std::string_view group;
    for (const SettingField& field : fields) {
        if (std::ranges::find(named, field.name, &NamedOption::setting) != named.end()) continue;
        if (field.about.group != group) text += fmt::format("\n{}:", group = field.about.group);
        text += fmt::format("\n  {:<35} {}", fmt::format("{}={}", field.name, settingText(field)), helpOf(field));
    }
    return text + "\n";
}

/// Defaults of the strategies that differ from the list above.
std::string listStrategyDefaults(SettingUse subject, const TrainSettings& listed) {
    std::string text;
    for (const DensifierRow* row : densifierTable()) {
        if (trainedKind(defaultsOf(row->name)).subject != subject) continue;
        const std::string changes = settingChanges(listed, defaultsOf(row->name));
        if (!changes.empty()) text += fmt::format("\nDefaults of strategy {}:{}\n", row->name, changes);
    }
    return text;
}

std::string listPresets(std::string_view command) {
    std::string text;
    for (const Preset& preset : presetsFor(command)) {
        text += fmt::format("\n  {:<10}", preset.name);
        const auto settings = parseOrderedJson(preset.json, preset.name);
        for (const auto& [name, value] : settings.items()) {
            text += fmt::format(" {}={}", name, value.is_string() ? value.get<std::string>() : jsonText(value));
        }
    }
    return "\nPresets:" + text + "\n";
}

/// Options of everything that trains.
void addRunOptions(CLI::App& command, std::span<const NamedOption> named, TrainOptions& options, TrainSettings defaults) {
    command.add_flag("--force", options.force, "Overwrite an existing run in OUT");
    command.add_flag("--view", options.view, "Show and control the run in the viewer; OUT gets the same files");
    addNumbers(command, "--eval-at", options.evalAt, {1, kMostSteps}, "Also evaluate after these steps");
    std::string presets;
    for (const Preset& preset : presetsFor(options.command)) presets += fmt::format("{}, ", preset.name);
    command
        .add_option("--preset", options.preset,
                    fmt::format("Named settings: {}or a JSON file of settings; --config overrides them", presets))
        ->type_name("NAME|FILE");
    command.add_option("--config", options.config, "Settings from a JSON object or a run's metrics.json; options and --set override them")
        ->type_name("FILE.json");
    command.add_option("--set", options.assignments, "Set any setting by name; repeatable")
        ->allow_extra_args(false)
        ->type_name("KEY=VALUE");
    const auto fields = settingFields(defaults);
    for (const NamedOption& option : named) addNamedOption(command, option, findSetting(fields, option.setting, options.command), options);
    const SettingUse subject = options.isPicture() ? SettingUse::pictures : SettingUse::scenes;
    command.footer(listOtherSettings(settingsOf(subject, fields), named) + listStrategyDefaults(subject, defaults) +
                   listPresets(options.command));
}

}  // namespace

void addTrainOptions(CLI::App& command, TrainOptions& options) {
    command.add_option("DATA", options.data, "Dataset: a COLMAP folder, a folder with transforms.json, or that file")
        ->required()
        ->type_name("");
    command.add_option("-o,--out", options.out, "Folder for splats.ply, metrics.json, log.jsonl, strip.png and checkpoint.splat-ckpt")
        ->required()
        ->type_name("OUT");
    command
        .add_option("--resume", options.resume,
                    "Resume from this checkpoint with its settings, up to --steps; DATA must be the same, OUT may be another folder")
        ->type_name("FILE");
    command.add_option("--save", options.save, "Also write the result to this file, in the format of its extension")->type_name("FILE");
    command.add_flag("--prepare", options.prepare,
                     "DATA is photographs or a video: first make OUT/dataset of it, as `prepare` does, unless it has camera poses");
    addDatasetOptions(command, options.reading);
    addRunOptions(command, kNamedOptions, options, resolveSettings({}));
    command
        .add_option("--quality", options.quality,
                    "Time for quality: fast (0), balanced (0.5), best (1), or a number between; instead of --preset")
        ->type_name("NAME");
    addNumber(command, "--budget-mib", options.budgetMib, {1, kMostBudget}, "Largest size of splats.ply, in MiB; lowers --max-splats")
        ->default_str("");
    addNumber(command, "--child-of", options.childOf, {1, INT32_MAX}, "")->group("");
    addNumber(command, "--hold-at", options.holdAt, {1, kMostSteps}, "")->group("");
}

void addFitOptions(CLI::App& command, TrainOptions& options) {
    options.command = "fit";
    options.reading.format = kPictureFormat;
    options.named.emplace_back("strategy", "picture");
    command.add_option("IMAGE", options.data, "Picture: PNG, JPEG or WebP")->required()->type_name("");
    command
        .add_option("-o,--out", options.out,
                    "Folder for fit.png, picture.blobs, splats.ply, metrics.json, log.jsonl, strip.png and checkpoint.splat-ckpt")
        ->required()
        ->type_name("OUT");
    command
        .add_option("--resume", options.resume,
                    "Resume from this checkpoint with its settings, up to --steps; IMAGE must be the same, OUT may be another folder")
        ->type_name("FILE");
    addRunOptions(command, kFitOptions, options, defaultsOf("picture"));
}

SettingsRequest TrainOptions::request() const {
    SettingsRequest request{.preset = preset,
                            .config = config,
                            .values = {},
                            .use = std::string(command),
                            .presetWhere = "--preset",
                            .quality = quality,
                            .budgetMib = budgetMib};
    for (const auto& [setting, text] : named) request.values.push_back({std::string(setting), text, std::string(command)});
    for (const std::string& text : assignments) {
        const Assignment assignment = parseAssignment(text, "--set");
        request.values.push_back({std::string(assignment.key), std::string(assignment.value), "--set"});
    }
    return request;
}

bool isSettingOption(std::string_view option) {
    const auto isIn = [&](std::span<const NamedOption> named) {
        return std::ranges::any_of(named, [&](const NamedOption& row) { return row.option == option; });
    };
    return isIn(kNamedOptions) || isIn(kFitOptions);
}

}  // namespace splat::app
