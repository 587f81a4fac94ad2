#include "commands/train/train_settings.h"

#include <set>

#include <nlohmann/json.hpp>

#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/session/checkpoint.h>
#include <splatwright/train/session/resume.h>
#include "commands/train/presets.h"

namespace splat::app {

namespace {

/// An object of settings and what messages call it.
struct SettingsFile {
    std::string where;
    nlohmann::json object;
};

/// All settings of a run before prune_scale_from: large Gaussians were pruned after the first reset, and strategy default had no other split.
nlohmann::json completed(nlohmann::json settings) {
    if (!settings.is_object() || settings.contains("prune_scale_from") || !settings.contains("reset_every")) return settings;
    const nlohmann::json resetEvery = settings["reset_every"];
    settings["prune_scale_from"] = resetEvery == 0 ? nlohmann::json(kMostSteps) : resetEvery;
    if (settings.value("strategy", nlohmann::json()) == "default") settings["long_axis_split"] = false;
    return settings;
}

/// A file of settings may be the metrics.json of a run as well: then its `settings` are meant.
SettingsFile settingsIn(const std::string& path, nlohmann::json object) {
    constexpr const char* kSettings = "settings";
    if (object.is_object() && object.contains(kSettings)) return {fmt::format("{}: {}", path, kSettings), completed(object[kSettings])};
    return {path, std::move(object)};
}

/// Those that the command line names, lowest first.
std::vector<SettingsFile> readSettingsFiles(const TrainOptions& options) {
    std::vector<SettingsFile> files;
    if (!options.preset.empty()) files.push_back(settingsIn(options.preset, readPreset(options.preset)));
    if (!options.config.empty()) files.push_back(settingsIn(options.config, readJson(options.config)));
    return files;
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

/// Puts files and command line over the settings, and returns the names of what was given.
std::set<std::string> apply(TrainSettings& settings, const std::vector<SettingsFile>& files, const TrainOptions& options) {
    const auto fields = settingFields(settings);
    std::set<std::string> given;
    for (const SettingsFile& file : files) {
        for (std::string& name : settingsFromJson(fields, file.object, file.where)) given.insert(std::move(name));
    }
    assign(fields, options, given);
    return given;
}

}  // namespace

TrainSettings resolveSettings(const TrainOptions& options) {
    const std::vector<SettingsFile> files = readSettingsFiles(options);
    TrainSettings settings;
    apply(settings, files, options);
    settings = defaultsOf(settings.strategy);  // they lie below everything that was given
    const std::set<std::string> given = apply(settings, files, options);
    if (settings.deterministic && !given.contains("accumulate")) accumulateDeterministically(settings);
    checkTogether(settings);
    return settings;
}

TrainSettings resumedSettings(const TrainOptions& options, const Checkpoint& checkpoint) {
    TrainSettings saved;
    const auto savedFields = settingFields(saved);
    settingsFromJson(savedFields, completed(checkpoint.value<nlohmann::json>("settings")), checkpoint.path.string());
    TrainSettings settings = saved;
    apply(settings, readSettingsFiles(options), options);
    const auto fields = settingFields(settings);
    for (size_t i = 0; i < fields.size(); ++i) {
        const std::string found = settingText(fields[i]), expected = settingText(savedFields[i]);
        if (found == expected || fields[i].about.resume) continue;
        throw InputError("--resume: {} is '{}', expected '{}', as in {}", fields[i].name, found, expected, checkpoint.path.string());
    }
    try {
        checkLimit(saved, settings, trainingViewsOf(checkpoint));
    } catch (const InputError& problem) {
        throw InputError("--resume: {}", problem.what());
    }
    const auto done = checkpoint.value<uint32_t>("step");
    if (settings.steps < done)
        throw InputError("--resume: steps is {}, expected at least {}, which {} has done", settings.steps, done, checkpoint.path.string());
    return settings;
}

std::string settingChanges(TrainSettings from, TrainSettings to) {
    const auto before = settingFields(from), after = settingFields(to);
    std::string text;
    for (size_t i = 0; i < before.size(); ++i) {
        const std::string value = settingText(after[i]);
        if (value != settingText(before[i])) text += fmt::format(" {}={}", after[i].name, value);
    }
    return text;
}

}  // namespace splat::app
