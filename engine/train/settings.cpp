#include <splatwright/train/settings.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/core/settings.h>
#include <splatwright/render/backward.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/step_part.h>

namespace splat {

namespace {

bool isDownscale(uint32_t factor) { return factor <= 8 && std::has_single_bit(factor); }

/// Default accumulation method of deterministic runs.
std::string deterministicRow() {
    for (const AccumulationRow* row : accumulationTable()) {
        if (row->deterministic) return std::string(row->name);
    }
    throw Error("no accumulation row is deterministic");
}

/// Steps at which a phase of the schedule ends; they move with its length.
constexpr std::array<uint32_t TrainSettings::*, 2> kPhases{&TrainSettings::densifyUntil, &TrainSettings::fullSizeFrom};

/// Whether a change leaves max_passes and min_steps as they are, but for what runAllSteps() does.
bool sameLimits(const TrainSettings& before, const TrainSettings& after) {
    return after.maxPasses == before.maxPasses && (after.minSteps == before.minSteps || after.minSteps == after.steps);
}

template <class Row>
std::vector<std::string_view> namesOf(std::span<const Row* const> table) {
    std::vector<std::string_view> names;
    for (const Row* row : table) names.push_back(row->name);
    return names;
}

}  // namespace

std::span<const std::string_view> strategyChoices() {
    static const std::vector<std::string_view> names = namesOf(densifierTable());
    return names;
}

std::span<const std::string_view> accumulateChoices() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all = namesOf(accumulationTable());
        all.push_back(kAutomatic);
        return all;
    }();
    return names;
}

std::span<const std::string_view> initChoices() {
    static constexpr std::array<std::string_view, 2> kNames{"sfm", "random"};
    return kNames;
}

TrainSettings defaultsOf(std::string_view strategy) {
    TrainSettings settings;
    settings.hasStrategyDefaults = true;
    settings.strategy = strategy;
    densifierByName(strategy).defaults(settings);
    return settings;
}

void completeChange(TrainSettings& settings, const TrainSettings& before, bool begun) {
    if (settings.deterministic && !before.deterministic) accumulateDeterministically(settings);
    if (settings.steps != before.steps && sameLimits(before, settings)) runAllSteps(settings);
    if (settings.strategy == before.strategy) return;
    TrainSettings from = defaultsOf(before.strategy), to = defaultsOf(settings.strategy);
    const auto fields = settingFields(settings), old = settingFields(from), next = settingFields(to);
    for (size_t i = 0; i < fields.size(); ++i) {
        const bool own = settingText(next[i]) != settingText(old[i]);
        const bool free = !(begun && fields[i].about.restart);
        if (own && free && settingText(fields[i]) == settingText(old[i])) setSetting(fields[i], settingText(next[i]), "strategy");
    }
}

const AccumulationRow& accumulationOf(const TrainSettings& settings) {
    return accumulationByName(settings.accumulate == kAutomatic ? RunSettings().accumulate : settings.accumulate);
}

void accumulateDeterministically(TrainSettings& settings) {
    if (!accumulationOf(settings).deterministic) settings.accumulate = deterministicRow();
}

TrainSettings withinPasses(TrainSettings settings, size_t trainingViews) {
    const uint64_t most = std::max<uint64_t>(uint64_t{settings.maxPasses} * trainingViews, settings.minSteps);
    if (settings.maxPasses == 0 || settings.steps <= most) return settings;
    for (const auto phase : kPhases) settings.*phase = static_cast<uint32_t>(most * (settings.*phase) / settings.steps);
    settings.steps = static_cast<uint32_t>(most);
    return settings;
}

void runAllSteps(TrainSettings& settings) { settings.minSteps = std::max(settings.minSteps, settings.steps); }

void runAllSteps(TrainSettings& settings, const TrainSettings& before, size_t trainingViews) {
    const TrainSettings begun = withinPasses(before, trainingViews);
    for (const auto phase : kPhases) {
        if (settings.*phase == before.*phase) settings.*phase = begun.*phase;
    }
    runAllSteps(settings);
}

bool asksForSteps(const TrainSettings& before, const TrainSettings& after, size_t trainingViews) {
    // A viewer shows, and hands back, the number that max_passes has left.
    return after.steps != before.steps && after.steps != withinPasses(before, trainingViews).steps && sameLimits(before, after);
}

void checkLimit(const TrainSettings& before, const TrainSettings& after, size_t trainingViews) {
    const uint32_t most = withinPasses(after, trainingViews).steps;
    if (after.steps == before.steps || most == after.steps) return;
    throw InputError("steps is {}, expected {} as before: max_passes={} allows {} with {} training views; max_passes=0 allows more",
                     after.steps, before.steps, after.maxPasses, most, trainingViews);
}

void checkTogether(const TrainSettings& settings) {
    if (settings.downscale != 0 && !isDownscale(settings.downscale))
        throw InputError("downscale: found '{}', expected 1, 2, 4, 8 or auto", settings.downscale);
    if (!isDownscale(settings.startDownscale))
        throw InputError("start_downscale: found '{}', expected 1, 2, 4 or 8", settings.startDownscale);
    densifierByName(settings.strategy).check(settings);
    checkParts(settings);
    const AccumulationRow& row = accumulationOf(settings);
    if (settings.deterministic && !row.deterministic)
        throw InputError("deterministic: accumulate is '{}', which is not, expected '{}'", settings.accumulate, deterministicRow());
    if (settings.clampGradients && settings.accumulate == kAutomatic)
        throw InputError("clamp_gradients: accumulate is '{}', expected 'tree-cas', which alone can clamp", settings.accumulate);
}

}  // namespace splat
