#include <splatwright/train/presets/requested_settings.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include <nlohmann/json.hpp>

#include <splatwright/core/parse_json.h>
#include <splatwright/scene/formats/ply_layout.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/average_settings.h>
#include <splatwright/train/parts/check_settings.h>
#include <splatwright/train/parts/colour_change_settings.h>
#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/presets/presets.h>
#include <splatwright/train/presets/quality.h>
#include <splatwright/train/settings/accumulation_setting.h>
#include <splatwright/train/settings/passes.h>
#include <splatwright/train/watch/growth_report.h>

namespace splat {

namespace {

/// An object of settings and what messages call it.
struct SettingsObject {
    std::string where;
    nlohmann::json object;
    bool ofARun = false;  ///< a metrics.json: all settings of a run
};

template <class Value>
bool isNamed(const std::set<std::string>& given, const std::vector<SettingField>& fields, const Value& member) {
    return std::ranges::any_of(fields, [&](const SettingField& field) {
        const auto* value = std::get_if<Value*>(&field.value);
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
SettingsObject settingsIn(const std::string& path, nlohmann::json object) {
    constexpr const char* kSettings = "settings";
    if (object.is_object() && object.contains(kSettings))
        return {fmt::format("{}: {}", path, kSettings), std::move(object[kSettings]), true};
    return {path, std::move(object)};
}

/// Those that the request names, lowest first.
std::vector<SettingsObject> readObjects(const SettingsRequest& request) {
    std::vector<SettingsObject> objects;
    if (!request.quality.empty() && !request.preset.empty())
        throw InputError("quality is '{}', and preset '{}': expected one of them", request.quality, request.preset);
    if (!request.quality.empty()) objects.push_back({"quality", qualitySettings(request.quality, "quality")});
    if (!request.preset.empty())
        objects.push_back(settingsIn(request.preset, readPreset(request.use, request.preset, request.presetWhere)));
    if (!request.config.empty()) objects.push_back(settingsIn(request.config, readJson(request.config)));
    return objects;
}

/// Whether it is said how to train, beside single numbers.
bool namesARecipe(const SettingsRequest& request, const std::vector<SettingsObject>& objects) {
    static constexpr std::string_view kStrategy = "strategy";
    return !request.preset.empty() || !request.quality.empty() ||
           std::ranges::any_of(objects, [](const SettingsObject& layer) { return layer.object.contains(kStrategy); }) ||
           std::ranges::any_of(request.values, [](const SettingText& value) { return value.name == kStrategy; });
}

/// Sets a layer's settings and returns their names.
std::set<std::string> assign(TrainSettings& settings, const SettingsObject& layer) {
    std::set<std::string> given;
    for (std::string& name : settingsFromJson(settingFields(settings), layer.object, layer.where)) given.insert(std::move(name));
    if (layer.ofARun) completeOlder(settings, given);
    return given;
}

/// Sets single settings and returns their names; the same setting twice contradicts itself.
std::set<std::string> assign(const std::vector<SettingField>& fields, const std::vector<SettingText>& values) {
    std::set<std::string> given;
    for (const SettingText& text : values) {
        const SettingField& field = findSetting(fields, text.name, text.where);
        if (!given.emplace(field.name).second) throw InputError("{}: {} is given twice, expected once", text.where, field.name);
        setSetting(field, text.value, text.where);
    }
    return given;
}

/// What follows from other steps: the phases of a schedule keep their shares of them, or their place, as those of a run that has begun.
enum class Phases { keepShares, keepSteps };

/// What was asked for by name.
struct Given {
    std::set<std::string> names;
    // Whether by number, without what limits it beside or above it: then the limit does not hold.
    bool steps = false;    ///< max_passes
    bool splats = false;   ///< splat_pixels
    bool colours = false;  ///< colour_test: exposure or colour_grid, either on or off

    void add(std::set<std::string> layer, const TrainSettings& settings, const std::vector<SettingField>& fields) {
        const bool passes = isNamed(layer, fields, settings.maxPasses) || isNamed(layer, fields, settings.minSteps);
        steps = !passes && (steps || isNamed(layer, fields, settings.steps));
        const bool corrections = isNamed(layer, fields, settings.of<ExposureSettings>().exposure) ||
                                 isNamed(layer, fields, settings.of<ColourGridSettings>().colourGrid);
        colours = !isNamed(layer, fields, settings.of<ColourChangeSettings>().test) && (colours || corrections);
        splats = !isNamed(layer, fields, settings.splatPixels) && (splats || isNamed(layer, fields, settings.maxSplats));
        names.merge(layer);
    }
};

/// What has a share of the schedule.
std::array<uint32_t*, 3> stepsOf(TrainSettings& settings) {
    return {&settings.densifyUntil, &settings.fullSizeFrom, &settings.of<AverageSettings>().averageSteps};
}

/// What is not given keeps the share of the steps that it has in another schedule. Only a schedule that max_passes may shorten has shares: those of
/// other recipes are published as they are.
template <class IsGiven>
void keepShares(TrainSettings& settings, TrainSettings of, const IsGiven& isGiven) {
    if (settings.maxPasses == 0) return;
    const auto from = stepsOf(of), to = stepsOf(settings);
    for (size_t i = 0; i < to.size(); ++i)
        if (!isGiven(*from[i], *to[i])) *to[i] = movedStep(*from[i], of.steps, settings.steps);
}

/// The same where the steps are among what is named.
void keepSharesBeside(const std::set<std::string>& names, TrainSettings& settings, const TrainSettings& of) {
    const auto fields = settingFields(settings);
    if (isNamed(names, fields, settings.steps))
        keepShares(settings, of, [&](uint32_t, const uint32_t& step) { return isNamed(names, fields, step); });
}

/// Puts objects and single values over the settings, lowest first.
Given apply(TrainSettings& settings, const std::vector<SettingsObject>& objects, const std::vector<SettingText>& values, Phases phases) {
    const TrainSettings first = settings;
    const auto fields = settingFields(settings);
    Given given;
    const auto put = [&](const auto& assignLayer) {
        TrainSettings below = phases == Phases::keepShares ? settings : first;
        std::set<std::string> own = assignLayer();
        if (phases == Phases::keepSteps) below.steps = settings.steps;
        keepSharesBeside(own, settings, below);
        given.add(std::move(own), settings, fields);
    };
    for (const SettingsObject& layer : objects) put([&] { return assign(settings, layer); });
    put([&] { return assign(fields, values); });
    return given;
}

bool sameCorrections(const TrainSettings& a, const TrainSettings& b) {
    return a.of<ExposureSettings>().exposure == b.of<ExposureSettings>().exposure &&
           a.of<ColourGridSettings>().colourGrid == b.of<ColourGridSettings>().colourGrid;
}

/// What follows from what was asked for.
void complete(TrainSettings& settings, const Given& given) {
    if (settings.deterministic && !isNamed(given.names, settingFields(settings), settings.accumulate))
        accumulateDeterministically(settings);
    if (given.steps) runAllSteps(settings);
    if (given.splats) settings.splatPixels = 0;
    if (given.colours) settings.of<ColourChangeSettings>().test = false;
}

/// Gives the model no more Gaussians than a file of this size holds; a smaller maximum stays.
void keepWithin(TrainSettings& settings, uint32_t mebibytes) {
    if (mebibytes == 0) return;
    constexpr uint64_t kHeader = 4096;  // bytes, more than any splats.ply has
    const uint64_t bytes = (uint64_t{mebibytes} << 20) - kHeader;
    const uint64_t most = bytes / (sizeof(float) * plyProperties(static_cast<int>(settings.shDegree)).size());
    if (settings.maxSplats == 0 || most < settings.maxSplats)
        settings.maxSplats = static_cast<uint32_t>(std::min<uint64_t>(most, kMostSplats));
}

}  // namespace

TrainSettings resolveSettings(const SettingsRequest& request) {
    std::vector<SettingsObject> objects = readObjects(request);
    if (!namesARecipe(request, objects))
        objects.insert(objects.begin(), {kDefaultPreset, readPreset("train", kDefaultPreset, request.presetWhere)});
    TrainSettings settings;
    apply(settings, objects, request.values, Phases::keepShares);
    settings = defaultsOf(settings.strategy);  // they lie below everything that was given
    complete(settings, apply(settings, objects, request.values, Phases::keepShares));
    keepWithin(settings, request.budgetMib);
    checkTogether(settings);
    return settings;
}

TrainSettings withStrategyDefaults(const TrainSettings& settings) {
    if (settings.hasStrategyDefaults) return settings;
    TrainSettings members = settings, builtIn, all = defaultsOf(settings.strategy);
    const auto from = settingFields(members), unset = settingFields(builtIn), to = settingFields(all);
    std::set<std::string> names;
    for (size_t i = 0; i < from.size(); ++i) {
        if (settingText(from[i]) == settingText(unset[i])) continue;
        std::visit([&](auto* value) { *std::get<decltype(value)>(to[i].value) = *value; }, from[i].value);
        names.emplace(from[i].name);
    }
    keepSharesBeside(names, all, defaultsOf(settings.strategy));
    Given given;
    given.add(std::move(names), all, to);
    complete(all, given);
    return all;
}

void completeChange(TrainSettings& settings, const TrainSettings& before, bool begun) {
    if (settings.deterministic && !before.deterministic) accumulateDeterministically(settings);
    if (settings.steps != before.steps && !begun) keepShares(settings, before, std::not_equal_to<uint32_t>());
    if (settings.steps != before.steps && sameLimits(before, settings)) runAllSteps(settings);
    if (settings.maxSplats != before.maxSplats && settings.splatPixels == before.splatPixels) settings.splatPixels = 0;
    if (!sameCorrections(settings, before) && settings.of<ColourChangeSettings>().test == before.of<ColourChangeSettings>().test)
        settings.of<ColourChangeSettings>().test = false;
    if (settings.strategy == before.strategy) return;
    TrainSettings unsaid = resolveSettings({}), from = defaultsOf(before.strategy), to = defaultsOf(settings.strategy);
    if (unsaid.strategy != before.strategy) unsaid = from;
    const auto fields = settingFields(settings), old = settingFields(from), preset = settingFields(unsaid), next = settingFields(to);
    for (size_t i = 0; i < fields.size(); ++i) {
        const std::string value = settingText(fields[i]), wanted = settingText(next[i]);
        const bool isDefault = value == settingText(preset[i]) || value == settingText(old[i]);
        const bool free = !(begun && fields[i].about.restart);
        if (isDefault && free && value != wanted) setSetting(fields[i], wanted, "strategy");
    }
}

TrainSettings resumedSettings(const SettingsRequest& request, const Checkpoint& checkpoint) {
    TrainSettings saved;
    saved.hasStrategyDefaults = true;
    const auto savedFields = settingFields(saved);
    const auto names = settingsFromJson(savedFields, checkpoint.value<nlohmann::json>("settings"), checkpoint.path.string());
    completeOlder(saved, {names.begin(), names.end()});
    TrainSettings settings = saved;
    const Given given = apply(settings, readObjects(request), request.values, Phases::keepSteps);
    keepWithin(settings, request.budgetMib);
    const auto fields = settingFields(settings);
    for (size_t i = 0; i < fields.size(); ++i) {
        const std::string found = settingText(fields[i]), expected = settingText(savedFields[i]);
        if (found == expected || fields[i].about.resume) continue;
        throw InputError("{} is '{}', expected '{}', as in {}", fields[i].name, found, expected, checkpoint.path.string());
    }
    const ScheduleLimits limits{trainingViewsOf(checkpoint), growthEndIn(checkpoint.header)};
    if (given.steps) runAllSteps(settings, saved, limits);
    checkLimit(saved, settings, limits.trainingViews);
    const auto done = checkpoint.value<uint32_t>("step");
    if (settings.steps < done)
        throw InputError("steps is {}, expected at least {}, which {} has done", settings.steps, done, checkpoint.path.string());
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

}  // namespace splat
