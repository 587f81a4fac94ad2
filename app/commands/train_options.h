#pragma once

#include <string>
#include <utility>
#include <vector>

#include "train/settings.h"

namespace CLI {  // NOLINT: CLI11's name
class App;
}

namespace splat::app {

/// What the command line of `train` says.
struct TrainOptions {
    std::string data, out, images, config;
    bool force = false;
    std::vector<uint32_t> evalAt;
    std::vector<std::pair<std::string, std::string>> named;  ///< setting and text, of options that stand for one setting
    std::vector<std::string> assignments;                    ///< --set KEY=VALUE
};

/// Declares the options, grouped by subject as the settings are; settings without an option of their own are listed below them.
void addTrainOptions(CLI::App& command, TrainOptions& options);

/// Defaults, then the file of --config, then options and --set. Throws InputError for a setting that is unknown, out of range, given twice
/// or against another.
TrainSettings resolveSettings(const TrainOptions& options);

}  // namespace splat::app
