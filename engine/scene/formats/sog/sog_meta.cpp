#include <splatwright/scene/formats/sog/sog_meta.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/json_object.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/sog/sog.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {
namespace {

using nlohmann::json;

constexpr int64_t kMaxCount = int64_t{16383} * 16383;  // pixels of the largest WebP

/// A file's name must stay below the folder of meta.json.
bool isPlainName(const std::string& name) {
    if (name.empty() || name.find_first_of(std::string_view("\0\\:", 3)) != std::string::npos) return false;
    const std::filesystem::path path(name);
    return path.is_relative() && path.has_filename() && std::ranges::find(path, "..") == path.end();
}

/// An object of the file, whose unknown properties belong to other programs.
class Section {
public:
    Section(std::string where, const json& value) : where_(std::move(where)), value_(value) {
        if (!value.is_object()) throw InputError("{}: found {}, expected an object", where_, jsonExcerpt(value));
    }

    bool has(const char* key) const { return value_.contains(key); }
    Section section(const char* key) const { return {where_ + ": " + key, get(key)}; }

    int64_t whole(const char* key, int64_t most) const { return whole(key, get(key), most); }
    /// The first of an array's lengths.
    int64_t firstOf(const char* key, int64_t most) const { return whole(key, list(key, 1, SIZE_MAX)[0], most); }

    std::vector<float> numbers(const char* key, size_t count) const {
        std::vector<float> numbers;
        for (const json& value : list(key, count, count)) numbers.push_back(number(key, value));
        return numbers;
    }
    glm::vec3 vec3(const char* key) const {
        const std::vector<float> v = numbers(key, 3);
        return {v[0], v[1], v[2]};
    }
    float number(const char* key) const { return number(key, get(key)); }

    ByteValues codebook() const {
        json values = list("codebook", 256, 256);
        // Early versions of splat-transform wrote a first entry that was not a number.
        if (values[0].is_null())
            values[0] = number("codebook", values[1]) + (number("codebook", values[1]) - number("codebook", values[255])) / 255;
        ByteValues codebook;
        std::ranges::transform(values, codebook.begin(), [&](const json& value) { return number("codebook", value); });
        return codebook;
    }
    /// Names of files, of which there may be more.
    std::vector<std::string> files(size_t count) const {
        std::vector<std::string> names;
        for (const json& value : list("files", count, SIZE_MAX)) {
            if (!value.is_string() || !isPlainName(value.get<std::string>())) refuse("files", value, "names of files below its own folder");
            names.push_back(value.get<std::string>());
        }
        return names;
    }
    std::string text(const char* key) const { return has(key) && get(key).is_string() ? get(key).get<std::string>() : ""; }

    [[noreturn]] void refuse(const char* key, const json& found, const std::string& expected) const {
        throw InputError("{}: {} is {}, expected {}", where_, key, jsonExcerpt(found), expected);
    }

private:
    const json& get(const char* key) const {
        const auto found = value_.find(key);
        if (found == value_.end()) throw InputError("{}: has no {}, expected one", where_, key);
        return *found;
    }
    const json& list(const char* key, size_t least, size_t most) const {
        const json& value = get(key);
        if (!value.is_array() || value.size() < least || value.size() > most) refuse(key, value, fmt::format("a list of {}", least));
        return value;
    }
    int64_t whole(const char* key, const json& value, int64_t most) const {
        const auto number = wholeNumber<int64_t>(value);
        if (!number || *number < 1 || *number > most) refuse(key, value, fmt::format("a whole number, 1 to {}", most));
        return *number;
    }
    float number(const char* key, const json& value) const {
        const double number = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
        if (!(std::abs(number) <= std::numeric_limits<float>::max())) refuse(key, value, "finite numbers");
        return static_cast<float>(number);
    }

    std::string where_;
    const json& value_;
};

/// Bytes as steps between two values.
ByteValues steps(float low, float high) {
    ByteValues values;
    for (size_t b = 0; b < values.size(); ++b) values[b] = low + (high - low) * (static_cast<float>(b) / 255);
    return values;
}

std::array<ByteValues, 3> stepsOf(const std::vector<float>& low, const std::vector<float>& high) {
    return {steps(low[0], high[0]), steps(low[1], high[1]), steps(low[2], high[2])};
}

std::array<ByteValues, 3> shared(const ByteValues& values) { return {values, values, values}; }

void readVersion1(const Section& top, SogMeta& meta) {
    const Section scales = top.section("scales"), colours = top.section("sh0");
    meta.count = static_cast<size_t>(top.section("means").firstOf("shape", kMaxCount));
    meta.logScales = stepsOf(scales.numbers("mins", 3), scales.numbers("maxs", 3));
    const std::vector<float> low = colours.numbers("mins", 4), high = colours.numbers("maxs", 4);
    meta.dc = stepsOf(low, high);
    meta.logitOpacities = steps(low[3], high[3]);
    if (!top.has("shN")) return;
    const Section higher = top.section("shN");
    meta.coefficients = steps(higher.number("mins"), higher.number("maxs"));
}

void readVersion2(const Section& top, SogMeta& meta) {
    meta.count = static_cast<size_t>(top.whole("count", kMaxCount));
    meta.antialiased = top.text("model") == "antialiased";
    meta.logScales = shared(top.section("scales").codebook());
    meta.dc = shared(top.section("sh0").codebook());
    for (size_t b = 0; b < 256; ++b) meta.logitOpacities[b] = logitOfByte(static_cast<uint8_t>(b));
    if (!top.has("shN")) return;
    const Section higher = top.section("shN");
    meta.coefficients = higher.codebook();
    meta.paletteSize = static_cast<size_t>(higher.whole("count", kSogMostEntries));
    meta.shDegree = static_cast<int>(higher.whole("bands", kMaxShDegree));
}

}  // namespace

SogMeta parseSogMeta(const std::string& where, std::span<const std::byte> bytes) {
    const json document = parseJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, where);
    const Section top(where, document);
    if (top.has("lodLevels")) {
        throw InputError("{}: lists levels of detail of a streamed SOG, which is not read; expected meta.json of one of its folders",
                         where);
    }
    SogMeta meta;
    if (top.has("version")) {
        if (document["version"] != 2) top.refuse("version", document["version"], "2, or none for version 1");
        readVersion2(top, meta);
    } else {
        readVersion1(top, meta);
    }
    meta.low = top.section("means").vec3("mins");
    meta.high = top.section("means").vec3("maxs");
    auto file = meta.files.begin();
    for (const auto& [section, count] :
         {std::pair("means", 2), std::pair("quats", 1), std::pair("scales", 1), std::pair("sh0", 1), std::pair("shN", 2)}) {
        if (!top.has(section) && section == std::string_view("shN")) break;
        const std::vector<std::string> names = top.section(section).files(static_cast<size_t>(count));
        file = std::copy_n(names.begin(), count, file);
    }
    return meta;
}

}  // namespace splat
