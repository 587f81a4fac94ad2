#include <splatwright/scene/formats/gltf_object.h>

#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/json_object.h>
#include <splatwright/core/parse_json.h>

namespace splat {

GltfObject::GltfObject(std::string where, const nlohmann::json& value) : where_(std::move(where)), value_(&value) {
    if (!value.is_object()) throw InputError("{}: found {}, expected an object", where_, jsonExcerpt(value));
}

const nlohmann::json& GltfObject::get(const char* key) const {
    const auto found = value_->find(key);
    if (found == value_->end()) throw InputError("{}: {} is missing", where_, key);
    return *found;
}

void GltfObject::refuse(const char* key, const char* expected) const {
    throw InputError("{}: {} is {}, expected {}", where_, key, jsonExcerpt(get(key)), expected);
}

const nlohmann::json* GltfObject::list(const char* key) const {
    if (!has(key)) return nullptr;
    const nlohmann::json& value = get(key);
    if (!value.is_array()) refuse(key, "a list");
    return &value;
}

size_t GltfObject::whole(const char* key) const {
    const std::optional<size_t> number = wholeNumber<size_t>(get(key));
    if (!number) refuse(key, "a whole number of at least 0");
    return *number;
}

std::string GltfObject::text(const char* key) const {
    if (!get(key).is_string()) refuse(key, "a text");
    return get(key).get<std::string>();
}

bool GltfObject::flag(const char* key) const {
    if (!has(key)) return false;
    if (!get(key).is_boolean()) refuse(key, "true or false");
    return get(key).get<bool>();
}

std::vector<double> GltfObject::numbers(const char* key, size_t count) const {
    const nlohmann::json* all = list(key);
    if (!all) return {};
    std::vector<double> values;
    for (const nlohmann::json& each : *all) {
        if (!each.is_number()) refuse(key, "numbers");
        values.push_back(each.get<double>());
    }
    if (values.size() != count) throw InputError("{}: {} has {} numbers, expected {}", where_, key, values.size(), count);
    return values;
}

std::vector<size_t> GltfObject::indices(const char* key) const {
    const nlohmann::json* all = list(key);
    std::vector<size_t> values;
    for (size_t i = 0; all && i < all->size(); ++i) {
        const std::optional<size_t> number = wholeNumber<size_t>((*all)[i]);
        if (!number) refuse(key, "whole numbers of at least 0");
        values.push_back(*number);
    }
    return values;
}

std::vector<std::string> GltfObject::texts(const char* key) const {
    const nlohmann::json* all = list(key);
    std::vector<std::string> values;
    for (size_t i = 0; all && i < all->size(); ++i) {
        if (!(*all)[i].is_string()) refuse(key, "texts");
        values.push_back((*all)[i].get<std::string>());
    }
    return values;
}

GltfObject GltfObject::object(const char* key) const { return {fmt::format("{}: {}", where_, key), get(key)}; }

size_t GltfObject::size(const char* key) const {
    const nlohmann::json* all = list(key);
    return all ? all->size() : 0;
}

GltfObject GltfObject::item(const char* key, size_t index) const {
    const nlohmann::json* all = list(key);
    if (!all || index >= all->size()) {
        throw InputError("{}: found the index {} into {}, expected less than {}", where_, index, key, all ? all->size() : 0);
    }
    return {fmt::format("{}: {}[{}]", where_, key, index), (*all)[index]};
}

}  // namespace splat
