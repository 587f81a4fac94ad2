#include "scene/datasets/json_reader.h"

#include <array>

#include "core/error.h"
#include "core/file.h"

namespace splat {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> kNonFinite{"-Infinity", "Infinity", "NaN"};

/// The length of a word with which Python writes a non-finite number; 0 for any other text.
size_t nonFiniteAt(std::string_view text) {
    for (const std::string_view word : kNonFinite) {
        if (text.starts_with(word)) return word.size();
    }
    return 0;
}

/// Puts null for non-finite numbers outside strings.
std::string withoutNonFinite(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    bool inString = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const size_t word = inString ? 0 : nonFiniteAt(text.substr(i));
        if (word > 0) {
            clean += "null";
            i += word - 1;
            continue;
        }
        if (inString && text[i] == '\\' && i + 1 < text.size())
            clean += text[i++];
        else if (text[i] == '"')
            inString = !inString;
        clean += text[i];
    }
    return clean;
}

}  // namespace

json readJson(const std::filesystem::path& path) {
    const std::string text = readTextFile(path);
    try {
        return json::parse(withoutNonFinite(text));
    } catch (const json::exception& problem) {
        throw InputError("{}: not JSON: {}", path.string(), problem.what());
    }
}

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
    throw InputError("{}: {} is {}, expected a finite number", prefix_, property, excerpt(*value));
}

std::optional<std::string> JsonProperties::text(const char* property) const {
    const json* value = find(property);
    if (!value) return std::nullopt;
    if (value->is_string()) return value->get<std::string>();
    throw InputError("{}: {} is {}, expected a string", prefix_, property, excerpt(*value));
}

bool JsonProperties::flag(const char* property) const {
    const json* value = find(property);
    return value && value->is_boolean() && value->get<bool>();
}

std::string excerpt(const json& value) {
    constexpr size_t kLongest = 60;
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

}  // namespace splat
