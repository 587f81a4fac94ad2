#include <splatwright/train/densify/densifier.h>

#include <splatwright/core/table.h>

namespace splat {

SPLAT_TABLE(DensifierRow, kDensifiers, kDefaultStrategy, kMcmcStrategy, kBudgetStrategy, kFixedStrategy, kPictureStrategy);

std::span<const DensifierRow* const> densifierTable() { return kDensifiers; }

const DensifierRow& densifierByName(std::string_view name) { return rowByName(kDensifiers, "strategy", name); }

const TrainedKindRow& trainedKind(const TrainSettings& settings) {
    return trainedKindByName(densifierByName(settings.strategy).kind(settings));
}

std::span<const std::string_view> strategyChoices() {
    static const std::vector<std::string_view> names = rowNames(kDensifiers);
    return names;
}

TrainSettings defaultsOf(std::string_view strategy) {
    TrainSettings settings;
    settings.hasStrategyDefaults = true;
    settings.strategy = strategy;
    densifierByName(strategy).defaults(settings);
    return settings;
}

std::vector<SettingsPart> strategySettings() { return settingsOfRows(kDensifiers); }

bool refinesAfter(const TrainSettings& s, uint32_t steps) {
    return steps > s.densifyFrom && steps < s.densifyUntil && steps % s.densifyInterval == 0;
}

bool sortsByPlace(const TrainSettings& s, uint32_t steps) {
    const uint32_t first = s.densifyFrom / s.densifyInterval + 1;  // refinement, in intervals
    return s.mortonEvery > 0 && (steps / s.densifyInterval - first) % s.mortonEvery == 0;
}

std::vector<RefineEvent> refinementEvents(const TrainSettings& settings,
                                          const std::function<void(gpu::Commands&, const RefineJob&, bool sorted)>& record) {
    const auto event = [&](const char* name, bool sorted) {
        return RefineEvent{name, [=](uint32_t steps) { return refinesAfter(settings, steps) && sortsByPlace(settings, steps) == sorted; },
                           [=](gpu::Commands& c, const RefineJob& job) { record(c, job, sorted); }};
    };
    return {event("refine", false), event("refine and sort", true)};
}

}  // namespace splat
