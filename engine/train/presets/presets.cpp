#include <splatwright/train/presets/presets.h>

#include <algorithm>
#include <iterator>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/parse_json.h>

namespace splat {

namespace {

constexpr const char* kOther = "preset";  // in a preset that is another's second name

}  // namespace

std::vector<Preset> presetsFor(std::string_view use) {
    std::vector<Preset> found;
    std::ranges::copy_if(presetTable(), std::back_inserter(found), [&](const Preset& preset) { return preset.use == use; });
    return found;
}

nlohmann::json readPreset(std::string_view use, const std::string& nameOrFile, std::string_view where) {
    std::vector<std::string_view> names;
    for (const Preset& preset : presetsFor(use)) {
        names.push_back(preset.name);
        if (preset.name != nameOrFile) continue;
        nlohmann::json settings = parseJson(preset.json, preset.name);
        return settings.contains(kOther) ? readPreset(use, settings[kOther].get<std::string>(), where) : settings;
    }
    if (mayExist(nameOrFile)) return readJson(nameOrFile);
    throw InputError("{}: found '{}', expected one of {}, or a file", where, nameOrFile, fmt::join(names, ", "));
}

}  // namespace splat
