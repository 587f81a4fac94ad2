#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/synth/synth.h>

namespace splat {

/// A dataset of a suite: either a path or a procedural scene.
struct SuiteScene {
    std::string name;  ///< a folder name
    std::filesystem::path data;
    std::optional<SynthOptions> synth;
    DatasetOptions reading;
    nlohmann::json settings = nlohmann::json::object();
};

/// Settings to compare.
struct SuitePreset {
    std::string name;    ///< a folder name
    std::string preset;  ///< for `train --preset`: a name, or an existing file; empty: none
    nlohmann::json settings = nlohmann::json::object();
};

/// A file that lists training runs: scenes x presets x seeds. tests/bench/README.md describes the format.
struct Suite {
    std::filesystem::path file;
    std::vector<SuiteScene> scenes;
    std::vector<SuitePreset> presets;
    std::vector<uint32_t> seeds;
    nlohmann::json settings = nlohmann::json::object();

    /// The settings of a run: those of all runs, then the scene's, the preset's and the seed; later ones win.
    nlohmann::json settingsOf(const SuiteScene& scene, const SuitePreset& preset, uint32_t seed) const;
};

/// Folder for procedural datasets among the folders of the scenes.
inline constexpr const char* kSuiteDataFolder = "data";

/// Reads a suite; relative paths in it start at its folder. Throws InputError with file, key, found and expected: for unknown keys and settings,
/// values of the wrong type or out of range, names that are no folder names or appear twice, and data that does not exist.
Suite readSuite(const std::filesystem::path& file);

}  // namespace splat
