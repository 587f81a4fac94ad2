#include "commands/train/presets.h"

#include <vector>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/parse_json.h>

namespace splat::app {

nlohmann::json readPreset(const std::string& nameOrFile) {
    std::vector<std::string_view> names;
    for (const Preset& preset : presetTable()) {
        if (preset.name == nameOrFile) return parseJson(preset.json, preset.name);
        names.push_back(preset.name);
    }
    if (mayExist(nameOrFile)) return readJson(nameOrFile);
    throw InputError("--preset: found '{}', expected one of {}, or a file", nameOrFile, fmt::join(names, ", "));
}

}  // namespace splat::app
