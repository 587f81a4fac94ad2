#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/train/suite/figures.h>
#include <splatwright/train/suite/suite.h>
#include "commands/train/train_options.h"

namespace splat::app {

/// A training run of a suite, by the indices of its scene, preset and seed.
struct SuiteRun {
    size_t scene = 0, preset = 0, seed = 0;
    std::string name;  ///< "fox/default/seed-1", also its folder below OUT
    TrainOptions options;
    TrainSettings settings;
    nlohmann::json data;  ///< what tells its dataset from others

    std::filesystem::path folder() const { return options.out; }
    std::filesystem::path file(std::string_view file) const { return folder() / file; }
};

// Files beside those of `train` in a run's folder.
inline constexpr const char* kRunDataFile = "data.json";     ///< SuiteRun::data while and after it is trained
inline constexpr const char* kRunOutputFile = "output.txt";  ///< what the process printed

/// All runs of a suite, seed after seed, so that every scene and preset has figures early. Throws InputError for settings that contradict each other.
std::vector<SuiteRun> planSuite(const Suite& suite, const std::filesystem::path& out);

/// The dataset of a scene: its path, or where a procedural one is written.
std::filesystem::path dataPathOf(const SuiteScene& scene, const std::filesystem::path& out);

enum class RunState { fresh, resumable, complete };

/// Whether the run's folder holds its result or a checkpoint, made with the same settings from the same data; a checkpoint also by this build.
RunState stateOf(const SuiteRun& run);

/// Arguments of the process that trains the run.
std::vector<std::string> trainArguments(const SuiteRun& run, RunState state);

/// The settings as metrics.json and suite.json have them.
nlohmann::json settingsOf(const SuiteRun& run);

/// The run's metrics.json.
nlohmann::json metricsOf(const SuiteRun& run);

}  // namespace splat::app
