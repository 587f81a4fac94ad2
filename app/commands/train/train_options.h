#pragma once

#include <string>
#include <utility>
#include <vector>

#include <splatwright/scene/datasets/picture.h>
#include <splatwright/train/presets/requested_settings.h>

namespace CLI {  // NOLINT: CLI11's name
class App;
}

namespace splat::app {

/// What the command line of `train`, or of `fit`, says.
struct TrainOptions {
    std::string_view command = "train";
    std::string data, out, preset, quality, config, resume;
    std::string save;  ///< file that gets the result, too; its extension says the format
    DatasetOptions reading;
    bool force = false, view = false, prepare = false;
    uint32_t budgetMib = 0;  ///< size of splats.ply; 0: none
    std::vector<uint32_t> evalAt;
    std::vector<std::pair<std::string, std::string>> named;  ///< setting and text, of options that stand for one setting
    std::vector<std::string> assignments;                    ///< --set KEY=VALUE
    /// Whether `data` is a single picture.
    bool isPicture() const { return reading.format == kPictureFormat; }
    /// What of it is settings.
    SettingsRequest request() const;
    uint32_t holdAt = 0;   ///< for tests: step after which the process stops until SIGCONT; 0: none
    uint32_t childOf = 0;  ///< process of `bench train` with which this one ends; 0: none
    std::string again;     ///< this command line for a shell, but for settings and --resume
};

/// Declares the options, grouped by subject as the settings are; settings without an option of their own are listed below them.
void addTrainOptions(CLI::App& command, TrainOptions& options);

/// The same for `fit`.
void addFitOptions(CLI::App& command, TrainOptions& options);

/// Whether the option ("--steps") stands for a setting, which a checkpoint has.
bool isSettingOption(std::string_view option);

}  // namespace splat::app
