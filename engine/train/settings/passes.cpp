#include <splatwright/train/settings/passes.h>

#include <algorithm>
#include <array>

#include <splatwright/core/error.h>

namespace splat {

namespace {

/// Steps at which a phase of the schedule ends; they move with its length.
constexpr std::array<uint32_t TrainSettings::*, 2> kPhases{&TrainSettings::densifyUntil, &TrainSettings::fullSizeFrom};

}  // namespace

uint32_t movedStep(uint32_t step, uint32_t from, uint32_t to) {
    const uint64_t moved = uint64_t{step} * to / from;
    return static_cast<uint32_t>(std::min<uint64_t>(moved, kMostSteps));
}

bool sameLimits(const TrainSettings& before, const TrainSettings& after) {
    return after.maxPasses == before.maxPasses && (after.minSteps == before.minSteps || after.minSteps == after.steps);
}

TrainSettings withinPasses(TrainSettings settings, size_t trainingViews) {
    const uint64_t limit = std::max<uint64_t>(uint64_t{settings.maxPasses} * trainingViews, settings.minSteps);
    if (settings.maxPasses == 0 || settings.steps <= limit) return settings;
    const auto most = static_cast<uint32_t>(limit);
    for (const auto phase : kPhases) settings.*phase = movedStep(settings.*phase, settings.steps, most);
    settings.steps = most;
    return settings;
}

TrainSettings withinPixels(TrainSettings settings, uint64_t trainingPixels, size_t points) {
    constexpr double kFewest = 1000;
    if (settings.splatPixels == 0 || settings.startsFromFile()) return settings;
    const double start = settings.init == "sfm" ? 2 * static_cast<double>(points) : 0;
    const double most = std::max({static_cast<double>(trainingPixels) / settings.splatPixels, start, kFewest});
    if (settings.maxSplats == 0 || most < settings.maxSplats)
        settings.maxSplats = static_cast<uint32_t>(std::min<double>(most, kMostSplats));
    return settings;
}

TrainSettings shortened(const TrainSettings& given, const ScheduleLimits& limits) {
    TrainSettings settings = withinPasses(given, limits.trainingViews);
    if (!limits.growthEnd || settings.densifyUntil <= *limits.growthEnd) return settings;
    const uint32_t end = *limits.growthEnd, skipped = settings.densifyUntil - end;
    const auto moved = [&](uint32_t step) { return step > end + skipped ? step - skipped : std::min(step, end); };
    for (const auto phase : kPhases) settings.*phase = moved(settings.*phase);
    settings.steps = moved(settings.steps);
    return settings;
}

void runAllSteps(TrainSettings& settings) { settings.minSteps = std::max(settings.minSteps, settings.steps); }

void runAllSteps(TrainSettings& settings, const TrainSettings& before, const ScheduleLimits& limits) {
    const TrainSettings begun = shortened(before, limits);
    for (const auto phase : kPhases) {
        if (settings.*phase == before.*phase) settings.*phase = begun.*phase;
    }
    runAllSteps(settings);
}

bool asksForSteps(const TrainSettings& before, const TrainSettings& after, const ScheduleLimits& limits) {
    // A viewer shows, and hands back, the number that the limits have left.
    return after.steps != before.steps && after.steps != shortened(before, limits).steps && sameLimits(before, after);
}

void checkLimit(const TrainSettings& before, const TrainSettings& after, size_t trainingViews) {
    const uint32_t most = withinPasses(after, trainingViews).steps;
    if (after.steps == before.steps || most == after.steps) return;
    throw InputError("steps is {}, expected {} as before: max_passes={} allows {} with {} training views; max_passes=0 allows more",
                     after.steps, before.steps, after.maxPasses, most, trainingViews);
}

void checkGrowth(const TrainSettings& before, const TrainSettings& after, const ScheduleLimits& limits) {
    if (!limits.growthEnd || after.densifyUntil == before.densifyUntil || after.densifyUntil <= *limits.growthEnd) return;
    throw InputError("densify_until is {}, expected at most {}, where growth has ended early: only a new start with withhold=0 grows on",
                     after.densifyUntil, *limits.growthEnd);
}

}  // namespace splat
