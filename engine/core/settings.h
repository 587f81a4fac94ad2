#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <glm/glm.hpp>
#include <nlohmann/json_fwd.hpp>

#include "core/setting.h"

namespace splat {

/// One field of a settings struct, whatever its type: name, place and description.
struct SettingField {
    std::string_view name;
    std::variant<std::string*, bool*, uint32_t*, double*, glm::vec3*> value;
    Setting about;
};

/// The fields of a struct in the order of its visit(); they point into it.
template <class Settings>
std::vector<SettingField> settingFields(Settings& settings) {
    std::vector<SettingField> fields;
    settings.visit([&](std::string_view name, auto& value, const Setting& about) { fields.push_back({name, &value, about}); });
    return fields;
}

/// The field of this name; throws InputError with the names that come near. `where` starts the message: "--set", or a file's path.
const SettingField& findSetting(const std::vector<SettingField>& fields, std::string_view name, std::string_view where);

/// Sets a field from text; throws InputError for a value of another type, out of range or not among the choices.
void setSetting(const SettingField& field, std::string_view text, std::string_view where);

/// The two halves of KEY=VALUE; throws InputError when there is no '='.
struct Assignment {
    std::string_view key;
    std::string_view value;
};
Assignment parseAssignment(std::string_view text, std::string_view where);

/// The value as setSetting() reads it.
std::string settingText(const SettingField& field);

/// What --help says of a field after its help text: its choices, or unit and range, where it has them.
std::string settingLimits(const SettingField& field);

nlohmann::json settingsToJson(const std::vector<SettingField>& fields);

/// Sets the fields that an object has and returns their names; throws InputError for an unknown key, another type or a value out of range.
std::vector<std::string> settingsFromJson(const std::vector<SettingField>& fields, const nlohmann::json& object, std::string_view where);

}  // namespace splat
