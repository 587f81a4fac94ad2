#pragma once

#include <string_view>

#include <splatwright/core/settings.h>
#include <splatwright/train/settings/data_settings.h>
#include <splatwright/train/settings/densification_settings.h>
#include <splatwright/train/settings/initialisation_settings.h>
#include <splatwright/train/settings/learning_rates.h>
#include <splatwright/train/settings/loss_settings.h>
#include <splatwright/train/settings/model_settings.h>
#include <splatwright/train/settings/resolution_settings.h>
#include <splatwright/train/settings/row_settings.h>
#include <splatwright/train/settings/run_settings.h>

namespace splat {

/// All settings that decide a training run's result, by the component that owns them.
struct TrainSettings : SettingGroups<RunSettings, LearningRates, DensificationSettings, RowSettings, LossSettings, ModelSettings,
                                     ResolutionSettings, InitialisationSettings, DataSettings> {
    /// Whether members that nobody has set have the strategy's defaults, as in what defaultsOf() and resolveSettings() return. A session
    /// completes others by withStrategyDefaults() (train/presets/requested_settings.h).
    bool hasStrategyDefaults = false;
};

}  // namespace splat
