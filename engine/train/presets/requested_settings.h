#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <splatwright/train/settings/settings.h>

namespace splat {

struct Checkpoint;

/// A setting by its name, and its value as text.
struct SettingText {
    std::string name, value;
    std::string where = "settings";  ///< starts messages about it
};

/// What a user or a program asks for. Everything else gets the defaults of the strategy that results; later members override earlier ones.
struct SettingsRequest {
    std::string preset;                  ///< name of a preset, or a JSON file of settings; empty: none
    std::string config;                  ///< JSON file of settings, or a run's metrics.json; empty: none
    std::vector<SettingText> values;     ///< each setting once
    std::string use = "train";           ///< Preset::use
    std::string presetWhere = "preset";  ///< starts messages about an unknown preset
    std::string quality;                 ///< of qualitySettings(), instead of a preset; empty: none
    uint32_t budgetMib = 0;              ///< size of splats.ply that caps max_splats; 0: none
};

/// The settings that a run with this request has: those of the preset `default` below, if it names neither a preset, nor a quality, nor a
/// strategy. Phases of a schedule with max_passes keep their shares of the steps that the request names, unless it names them too. Throws
/// InputError for a setting that is unknown, out of range, given twice or against another.
TrainSettings resolveSettings(const SettingsRequest& request);

/// The settings of a program that has set members of TrainSettings{}: those with another value than there count as asked for, all others get
/// the strategy's defaults. Settings that have them already stay as they are. Throws InputError for an unknown strategy.
TrainSettings withStrategyDefaults(const TrainSettings& settings);

/// Completes a change of single settings from `before` to these: another strategy brings its defaults for settings that had the default of the
/// strategy before, or what trains if nothing is said, `deterministic` a deterministic accumulation, and `steps` all run, with phases as above if
/// training has not `begun`. If it has, settings that need a restart stay.
void completeChange(TrainSettings& settings, const TrainSettings& before, bool begun);

/// The checkpoint's settings, with those that may change while a run goes on as requested. Throws InputError for another setting that is
/// requested and differs from the checkpoint's, and for fewer steps than are done.
TrainSettings resumedSettings(const SettingsRequest& request, const Checkpoint& checkpoint);

/// " name=value" for each setting that differs in `to`, with its value there.
std::string settingChanges(TrainSettings from, TrainSettings to);

}  // namespace splat
