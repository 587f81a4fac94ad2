#include "commands/train/train_settings.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/session/checkpoint.h>
#include <splatwright/train/session/resume.h>
#include "commands/train/presets.h"

namespace splat::app {

namespace {

/// An object of settings and what messages call it.
struct SettingsFile {
    std::string where;
    nlohmann::json object;
    bool ofARun = false;  ///< a metrics.json: all settings of a run
};

bool isNamed(const std::set<std::string>& given, const std::vector<SettingField>& fields, const uint32_t& member) {
    return std::ranges::any_of(fields, [&](const SettingField& field) {
        const auto* value = std::get_if<uint32_t*>(&field.value);
        return value && *value == &member && given.contains(std::string(field.name));
    });
}

/// All settings of a run before prune_scale_from: large Gaussians were pruned after the first reset, and strategy default had no other split.
void completeOlder(TrainSettings& settings, const std::set<std::string>& given) {
    auto& own = settings.of<DefaultStrategySettings>();
    const auto fields = settingFields(settings);
    if (isNamed(given, fields, own.pruneScaleFrom) || !isNamed(given, fields, own.resetEvery)) return;
    own.pruneScaleFrom = own.resetEvery > 0 ? own.resetEvery : kMostSteps;
    if (settings.strategy == "default") settings.longAxisSplit = false;
}

/// A file of settings may be the metrics.json of a run as well: then its `settings` are meant.
SettingsFile settingsIn(const std::string& path, nlohmann::json object) {
    constexpr const char* kSettings = "settings";
    if (object.is_object() && object.contains(kSettings))
        return {fmt::format("{}: {}", path, kSettings), std::move(object[kSettings]), true};
    return {path, std::move(object)};
}

/// Those that the command line names, lowest first.
std::vector<SettingsFile> readSettingsFiles(const TrainOptions& options) {
    std::vector<SettingsFile> files;
    if (!options.preset.empty()) files.push_back(settingsIn(options.preset, readPreset(options.command, options.preset)));
    if (!options.config.empty()) files.push_back(settingsIn(options.config, readJson(options.config)));
    return files;
}

/// Applies the command line's assignments and returns their names; the same setting twice contradicts itself.
std::set<std::string> assign(const std::vector<SettingField>& fields, const TrainOptions& options) {
    std::set<std::string> given;
    const auto set = [&](std::string_view key, std::string_view value, const std::string& where) {
        const SettingField& field = findSetting(fields, key, where);
        if (!given.emplace(field.name).second) throw InputError("{}: {} is given twice, expected once", where, field.name);
        setSetting(field, value, where);
    };
    for (const auto& [setting, text] : options.named) set(setting, text, "train");
    for (const std::string& text : options.assignments) {
        const Assignment assignment = parseAssignment(text, "--set");
        set(assignment.key, assignment.value, "--set");
    }
    return given;
}

/// What files and command line name.
struct Given {
    std::set<std::string> names;
    bool steps = false;  ///< whether by number, without a limit of passes beside or above it: then max_passes does not shorten them

    void add(std::set<std::string> layer) {
        const bool limits = layer.contains("max_passes") || layer.contains("min_steps");
        steps = !limits && (steps || layer.contains("steps"));
        names.merge(layer);
    }
};

/// Puts files and command line over the settings, lowest first.
Given apply(TrainSettings& settings, const std::vector<SettingsFile>& files, const TrainOptions& options) {
    const auto fields = settingFields(settings);
    Given given;
    for (const SettingsFile& file : files) {
        std::set<std::string> own;
        for (std::string& name : settingsFromJson(fields, file.object, file.where)) own.insert(std::move(name));
        if (file.ofARun) completeOlder(settings, own);
        given.add(std::move(own));
    }
    given.add(assign(fields, options));
    return given;
}

}  // namespace

TrainSettings resolveSettings(const TrainOptions& options) {
    const std::vector<SettingsFile> files = readSettingsFiles(options);
    TrainSettings settings;
    apply(settings, files, options);
    settings = defaultsOf(settings.strategy);  // they lie below everything that was given
    const Given given = apply(settings, files, options);
    if (settings.deterministic && !given.names.contains("accumulate")) accumulateDeterministically(settings);
    if (given.steps) runAllSteps(settings);
    checkTogether(settings);
    return settings;
}

TrainSettings resumedSettings(const TrainOptions& options, const Checkpoint& checkpoint) {
    TrainSettings saved;
    const auto savedFields = settingFields(saved);
    const auto names = settingsFromJson(savedFields, checkpoint.value<nlohmann::json>("settings"), checkpoint.path.string());
    completeOlder(saved, {names.begin(), names.end()});
    TrainSettings settings = saved;
    const Given given = apply(settings, readSettingsFiles(options), options);
    const auto fields = settingFields(settings);
    for (size_t i = 0; i < fields.size(); ++i) {
        const std::string found = settingText(fields[i]), expected = settingText(savedFields[i]);
        if (found == expected || fields[i].about.resume) continue;
        throw InputError("--resume: {} is '{}', expected '{}', as in {}", fields[i].name, found, expected, checkpoint.path.string());
    }
    const size_t views = trainingViewsOf(checkpoint);
    if (given.steps) runAllSteps(settings, saved, views);
    try {
        checkLimit(saved, settings, views);
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
