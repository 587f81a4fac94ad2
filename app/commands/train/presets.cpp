#include "commands/train/presets.h"

#include <algorithm>
#include <iterator>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/parse_json.h>

namespace splat::app {

std::vector<Preset> presetsOf(std::string_view command) {
    std::vector<Preset> found;
    std::ranges::copy_if(presetTable(), std::back_inserter(found), [&](const Preset& preset) { return preset.command == command; });
    return found;
}

nlohmann::json readPreset(std::string_view command, const std::string& nameOrFile) {
    std::vector<std::string_view> names;
    for (const Preset& preset : presetsOf(command)) {
        if (preset.name == nameOrFile) return parseJson(preset.json, preset.name);
        names.push_back(preset.name);
    }
    if (mayExist(nameOrFile)) return readJson(nameOrFile);
    throw InputError("--preset: found '{}', expected one of {}, or a file", nameOrFile, fmt::join(names, ", "));
}

}  // namespace splat::app
