#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <splatwright/train/settings/settings.h>

namespace splat {

/// A step of a schedule of `from` steps, at the same share of one of `to`; from: at least 1.
uint32_t movedStep(uint32_t step, uint32_t from, uint32_t to);

/// The settings with their schedule shortened to `max_passes` over the training views, but not below `min_steps`: steps, densify_until and
/// full_size_from by one factor, intervals unchanged. Doing so twice changes nothing more.
TrainSettings withinPasses(TrainSettings settings, size_t trainingViews);

/// The settings with `max_splats` lowered to one Gaussian per `splat_pixels` pixels of the training images, but not below 1,000 and twice the points
/// that a training starts from. Unchanged if it starts from a file of splats. Doing so twice changes nothing more.
TrainSettings withinPixels(TrainSettings settings, uint64_t trainingPixels, size_t points);

/// What shortens the schedule of a run.
struct ScheduleLimits {
    size_t trainingViews = 0;           ///< for max_passes
    std::optional<uint32_t> growthEnd;  ///< step at which growth has ended early (GrowthWatch)
};

/// The settings with the schedule that a run follows: withinPasses(), and where growth has ended early, everything after densify_until moved
/// forward to that step, so that the final phase keeps its length. Doing so twice changes nothing more.
TrainSettings shortened(const TrainSettings& given, const ScheduleLimits& limits);

/// Makes all `steps` run, as when they were asked for by number: raises `min_steps` where max_passes could shorten them.
void runAllSteps(TrainSettings& settings);

/// The same for a training that has begun with `before`: the schedule's phases stay where shortened() has put them.
void runAllSteps(TrainSettings& settings, const TrainSettings& before, const ScheduleLimits& limits);

/// Whether a change leaves max_passes and min_steps as they are, but for what runAllSteps() does.
bool sameLimits(const TrainSettings& before, const TrainSettings& after);

/// Whether a change of a training asks for another number of steps, and leaves the limits of passes as they are.
bool asksForSteps(const TrainSettings& before, const TrainSettings& after, const ScheduleLimits& limits);

/// Throws InputError if `steps` changes while max_passes limits it: the limit would stay, but the schedule's phases would move.
void checkLimit(const TrainSettings& before, const TrainSettings& after, size_t trainingViews);

/// Throws InputError if a change asks for growth after its end.
void checkGrowth(const TrainSettings& before, const TrainSettings& after, const ScheduleLimits& limits);

}  // namespace splat
