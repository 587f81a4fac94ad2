#include <splatwright/scene/files/json_reader.h>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/json_object.h>

namespace splat {

using nlohmann::json;

const json* JsonProperties::find(const char* property) const {
    for (const json* source : {&own_, &shared_}) {
        if (const auto found = source->find(property); found != source->end()) return &*found;
    }
    return nullptr;
}

std::optional<double> JsonProperties::number(const char* property) const {
    const json* value = find(property);
    if (!value) return std::nullopt;
    if (value->is_number()) return value->get<double>();
    throw InputError("{}: {} is {}, expected a finite number", prefix_, property, jsonExcerpt(*value));
}

std::optional<std::string> JsonProperties::text(const char* property) const {
    const json* value = find(property);
    if (!value) return std::nullopt;
    if (value->is_string()) return value->get<std::string>();
    throw InputError("{}: {} is {}, expected a string", prefix_, property, jsonExcerpt(*value));
}

bool JsonProperties::flag(const char* property) const {
    const json* value = find(property);
    return value && value->is_boolean() && value->get<bool>();
}

}  // namespace splat
