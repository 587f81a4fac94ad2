#include <splatwright/core/json_object.h>

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

#include <splatwright/core/names.h>
#include <splatwright/core/near_names.h>

namespace splat {

JsonObject::JsonObject(std::string where, const nlohmann::json& value, std::vector<std::string_view> keys)
    : where_(std::move(where)), value_(value) {
    if (!value.is_object()) throw InputError("{}: found {}, expected an object", where_, jsonExcerpt(value));
    for (const auto& [key, ignored] : value.items()) {
        if (std::ranges::find(keys, key) != keys.end()) continue;
        throw InputError("{}: found the key '{}', expected one of: {}", where_, shortened(key, 80),
                         fmt::join(nearestNames(std::move(keys), key), ", "));
    }
}

std::string JsonObject::at(std::string_view key) const { return fmt::format("{}: {}", where_, key); }

const nlohmann::json& JsonObject::get(std::string_view key) const {
    const auto found = value_.find(key);
    if (found == value_.end()) throw InputError("{} is missing", at(key));
    return *found;
}

std::string JsonObject::text(std::string_view key) const {
    const nlohmann::json& value = get(key);
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) refuse(key, "a string that is not empty");
    return value.get<std::string>();
}

const nlohmann::json& JsonObject::list(std::string_view key) const {
    const nlohmann::json& value = get(key);
    if (!value.is_array() || value.empty()) refuse(key, "a list that is not empty");
    return value;
}

double JsonObject::number(std::string_view key, double min, double max) const {
    const nlohmann::json& value = get(key);
    if (!value.is_number() || value.get<double>() < min || value.get<double>() > max)
        refuse(key, fmt::format("a number, {} to {}", min, max));
    return value.get<double>();
}

void JsonObject::refuse(std::string_view key, std::string_view expected) const {
    throw InputError("{}: found {}, expected {}", at(key), jsonExcerpt(get(key)), expected);
}

std::string jsonExcerpt(const nlohmann::json& value) { return shortened(jsonText(value), 80); }

}  // namespace splat
