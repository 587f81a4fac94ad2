#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace splat {

/// A file of assets/presets, embedded when the engine was built.
struct Preset {
    std::string_view use;  ///< "train": for scenes; "fit": for single pictures
    std::string_view name;
    std::string_view json;  ///< an object of settings, or of one key `preset`: the name of the preset that it is
};

/// Of the preset with which scenes are trained if nothing else is said.
inline constexpr const char* kDefaultPreset = "default";

std::span<const Preset> presetTable();

/// Those for one use.
std::vector<Preset> presetsFor(std::string_view use);

/// The settings of a preset by its name, or of a file. Throws InputError listing the names if it is neither; `where` starts the message.
nlohmann::json readPreset(std::string_view use, const std::string& nameOrFile, std::string_view where);

}  // namespace splat
