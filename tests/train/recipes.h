#pragma once

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/presets/presets.h>

namespace splat {

/// A strategy's own settings, or those of a preset over its strategy's.
struct Recipe {
    std::string name;
    TrainSettings settings;
};

/// GoogleTest would print the bytes.
inline void PrintTo(const Recipe& recipe, std::ostream* out) { *out << recipe.name; }

/// A recipe's name as a part of a test's.
inline std::string recipeTestName(const testing::TestParamInfo<Recipe>& test) {
    std::string name = test.param.name;
    std::ranges::replace(name, ' ', '_');
    std::ranges::replace(name, '-', '_');
    return name;
}

inline Recipe presetOf(const std::filesystem::path& file) {
    const auto object = nlohmann::json::parse(readTextFile(file));
    Recipe preset{.name = "preset " + file.stem().string(), .settings = defaultsOf(object.value("strategy", TrainSettings{}.strategy))};
    settingsFromJson(settingFields(preset.settings), object, file.string());
    return preset;
}

/// Strategies that train Gaussians on the views of a scene.
inline std::vector<const DensifierRow*> sceneStrategies() {
    std::vector<const DensifierRow*> all;
    std::ranges::copy_if(densifierTable(), std::back_inserter(all),
                         [](const DensifierRow* row) { return trainedKind(defaultsOf(row->name)).subject == SettingUse::scenes; });
    return all;
}

/// Each of them, and every preset of assets/presets but the one that is another's second name.
inline std::vector<Recipe> allRecipes() {
    std::vector<Recipe> all;
    for (const DensifierRow* row : sceneStrategies()) all.push_back({.name = std::string(row->name), .settings = defaultsOf(row->name)});
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(SPLAT_SHADERS).parent_path() / "assets" / "presets")) {
        if (entry.is_regular_file() && entry.path().stem() != kDefaultPreset) all.push_back(presetOf(entry.path()));
    }
    return all;
}

}  // namespace splat
