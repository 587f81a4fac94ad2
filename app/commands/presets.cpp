#include "commands/presets.h"

#include <filesystem>
#include <vector>

#include <fmt/ranges.h>

#include "core/error.h"
#include "scene/datasets/json_reader.h"

namespace splat::app {

nlohmann::json readPreset(const std::string& nameOrFile) {
    std::vector<std::string_view> names;
    for (const Preset& preset : presetTable()) {
        if (preset.name == nameOrFile) return nlohmann::json::parse(preset.json);
        names.push_back(preset.name);
    }
    std::error_code ignored;
    if (std::filesystem::exists(nameOrFile, ignored)) return readJson(nameOrFile);
    throw InputError("--preset: found '{}', expected one of {}, or a file", nameOrFile, fmt::join(names, ", "));
}

}  // namespace splat::app
