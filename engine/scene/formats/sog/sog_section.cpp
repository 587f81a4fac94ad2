#include <splatwright/scene/formats/sog/sog_section.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>

#include <splatwright/core/error.h>
#include <splatwright/core/json_object.h>
#include <splatwright/core/parse_json.h>

namespace splat {

using nlohmann::json;

namespace {

/// A file's name must stay below the folder of meta.json.
bool isPlainName(const std::string& name) {
    if (name.empty() || name.find_first_of(std::string_view("\0\\:", 3)) != std::string::npos) return false;
    const std::filesystem::path path(name);
    return !path.has_root_path() && path.has_filename() && std::ranges::find(path, "..") == path.end();
}

}  // namespace

SogSection::SogSection(std::string where, const json& value) : where_(std::move(where)), value_(value) {
    if (!value.is_object()) throw InputError("{}: found {}, expected an object", where_, jsonExcerpt(value));
}

std::vector<float> SogSection::numbers(const char* key, size_t count) const {
    std::vector<float> numbers;
    for (const json& value : list(key, count, count)) numbers.push_back(number(key, value));
    return numbers;
}

glm::vec3 SogSection::vec3(const char* key) const {
    const std::vector<float> v = numbers(key, 3);
    return {v[0], v[1], v[2]};
}

ByteValues SogSection::codebook() const {
    json values = list("codebook", 256, 256);
    // Early versions of splat-transform wrote a first entry that was not a number.
    if (values[0].is_null())
        values[0] = number("codebook", values[1]) + (number("codebook", values[1]) - number("codebook", values[255])) / 255;
    ByteValues codebook;
    std::ranges::transform(values, codebook.begin(), [&](const json& value) { return number("codebook", value); });
    return codebook;
}

std::vector<std::string> SogSection::files(const char* key, size_t least) const {
    std::vector<std::string> names;
    for (const json& value : list(key, least, SIZE_MAX)) names.push_back(fileName(key, value));
    return names;
}

std::string SogSection::fileName(const char* key, const json& value) const {
    if (!value.is_string() || !isPlainName(value.get<std::string>())) refuse(key, value, "names of files below its own folder");
    return value.get<std::string>();
}

void SogSection::refuse(const char* key, const json& found, const std::string& expected) const {
    throw InputError("{}: {} is {}, expected {}", where_, key, jsonExcerpt(found), expected);
}

const json& SogSection::get(const char* key) const {
    const auto found = value_.find(key);
    if (found == value_.end()) throw InputError("{}: has no {}, expected one", where_, key);
    return *found;
}

const json& SogSection::list(const char* key, size_t least, size_t most) const {
    const json& value = get(key);
    if (!value.is_array() || value.size() < least || value.size() > most) refuse(key, value, fmt::format("a list of {}", least));
    return value;
}

int64_t SogSection::whole(const char* key, const json& value, int64_t least, int64_t most) const {
    const auto number = wholeNumber<int64_t>(value);
    if (!number || *number < least || *number > most) refuse(key, value, fmt::format("a whole number, {} to {}", least, most));
    return *number;
}

float SogSection::number(const char* key, const json& value) const {
    const double number = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(std::abs(number) <= std::numeric_limits<float>::max())) refuse(key, value, "finite numbers");
    return static_cast<float>(number);
}

}  // namespace splat
