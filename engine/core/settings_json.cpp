#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>

namespace splat {

namespace {

using nlohmann::json;

struct ToJson {
    json operator()(const glm::vec3* value) const { return {value->x, value->y, value->z}; }
    template <class T>
    json operator()(const T* value) const {
        return *value;
    }
};

/// The text that setSetting() reads, so that type and range are checked in one place.
std::string textOf(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return jsonText(value);
    std::string text;
    for (const json& element : value) text += (text.empty() ? "" : ",") + jsonText(element);
    return text;
}

/// Throws InputError for a value of another kind. Strings are not accepted as numbers: "30000" may be a mistake.
void requireKind(const SettingField& field, const json& value, std::string_view where) {
    const auto require = [&](bool fits, const char* expected) {
        if (!fits) throw InputError("{}: {} is {}, expected {}", where, field.name, jsonText(value), expected);
    };
    if (std::holds_alternative<std::string*>(field.value)) return require(value.is_string(), "a string");
    if (std::holds_alternative<bool*>(field.value)) return require(value.is_boolean(), "true or false");
    if (std::holds_alternative<glm::vec3*>(field.value)) return require(value.is_array(), "a list of three numbers");
    require(value.is_number(), "a number");
}

}  // namespace

json settingsToJson(const std::vector<SettingField>& fields) {
    json object = json::object();
    for (const SettingField& field : fields) object[std::string(field.name)] = std::visit(ToJson{}, field.value);
    return object;
}

std::vector<std::string> settingsFromJson(const std::vector<SettingField>& fields, const json& object, std::string_view where) {
    if (!object.is_object()) throw InputError("{}: found {}, expected an object of settings", where, object.type_name());
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) {
        const SettingField& field = findSetting(fields, name, where);
        requireKind(field, value, where);
        setSetting(field, textOf(value), where);
        names.push_back(name);
    }
    return names;
}

}  // namespace splat
