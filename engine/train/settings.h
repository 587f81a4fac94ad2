#pragma once

#include <string_view>

#include <splatwright/core/settings.h>
#include <splatwright/train/densify/densification_settings.h>
#include <splatwright/train/loss/loss_settings.h>
#include <splatwright/train/row_settings.h>
#include <splatwright/train/run_settings.h>
#include <splatwright/train/session/data_settings.h>
#include <splatwright/train/session/initialisation_settings.h>
#include <splatwright/train/step/learning_rates.h>
#include <splatwright/train/step/model_settings.h>
#include <splatwright/train/step/resolution_settings.h>

namespace splat {

struct AccumulationRow;

/// All settings that decide a training run's result, by the component that owns them.
struct TrainSettings : SettingGroups<RunSettings, LearningRates, DensificationSettings, RowSettings, LossSettings, ModelSettings,
                                     ResolutionSettings, InitialisationSettings, DataSettings> {
    /// Whether members that nobody has set have the strategy's defaults, as in what defaultsOf() and resolveSettings() return. A session
    /// completes others by withStrategyDefaults() (train/requested_settings.h).
    bool hasStrategyDefaults = false;
};

/// Default settings of a strategy. Throws InputError for an unknown one.
TrainSettings defaultsOf(std::string_view strategy);

/// Completes a change of single settings from `before` to these: another strategy brings its defaults for settings that had the default of the
/// strategy before, `deterministic` a deterministic accumulation, and `steps` all run. In a training that has `begun`, settings that need a
/// restart stay.
void completeChange(TrainSettings& settings, const TrainSettings& before, bool begun);

/// The accumulation method that training begins with: the one that `accumulate` names, or the default for `auto`.
const AccumulationRow& accumulationOf(const TrainSettings& settings);

/// Selects a deterministic accumulation method unless the selected one is.
void accumulateDeterministically(TrainSettings& settings);

/// The settings with their schedule shortened to `max_passes` over the training views, but not below `min_steps`: steps, densify_until and
/// full_size_from by one factor, intervals unchanged. Doing so twice changes nothing more.
TrainSettings withinPasses(TrainSettings settings, size_t trainingViews);

/// Makes all `steps` run, as when they were asked for by number: raises `min_steps` where max_passes could shorten them.
void runAllSteps(TrainSettings& settings);

/// The same for a training that has begun with `before`: the schedule's phases stay where max_passes has put them.
void runAllSteps(TrainSettings& settings, const TrainSettings& before, size_t trainingViews);

/// Whether a change of a training asks for another number of steps, and leaves the limits of passes as they are.
bool asksForSteps(const TrainSettings& before, const TrainSettings& after, size_t trainingViews);

/// Throws InputError if `steps` changes while max_passes limits it: the limit would stay, but the schedule's phases would move.
void checkLimit(const TrainSettings& before, const TrainSettings& after, size_t trainingViews);

/// Throws InputError naming settings that contradict each other or do not exist.
void checkTogether(const TrainSettings& settings);

}  // namespace splat
