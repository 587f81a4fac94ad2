#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace splat::app {

/// A file of assets/presets, embedded when the program was built.
struct Preset {
    std::string_view command;  ///< that it is for
    std::string_view name;
    std::string_view json;  ///< an object of settings
};

std::span<const Preset> presetTable();

/// Those of a command.
std::vector<Preset> presetsOf(std::string_view command);

/// The settings of a command's preset by its name, or of a file; throws InputError listing the names when it is neither.
nlohmann::json readPreset(std::string_view command, const std::string& nameOrFile);

}  // namespace splat::app
