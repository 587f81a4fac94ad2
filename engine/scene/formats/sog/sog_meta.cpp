#include <splatwright/scene/formats/sog/sog_meta.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/core/parse_json.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/sog/sog.h>
#include <splatwright/scene/formats/sog/sog_section.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {
namespace {

using nlohmann::json;

constexpr int64_t kMaxCount = int64_t{16383} * 16383;  // pixels of the largest WebP

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

void readVersion1(const SogSection& top, SogMeta& meta) {
    const SogSection scales = top.section("scales"), colours = top.section("sh0");
    meta.count = static_cast<size_t>(top.section("means").firstOf("shape", kMaxCount));
    meta.logScales = stepsOf(scales.numbers("mins", 3), scales.numbers("maxs", 3));
    const std::vector<float> low = colours.numbers("mins", 4), high = colours.numbers("maxs", 4);
    meta.dc = stepsOf(low, high);
    meta.logitOpacities = steps(low[3], high[3]);
    if (!top.has("shN")) return;
    const SogSection higher = top.section("shN");
    meta.coefficients = steps(higher.number("mins"), higher.number("maxs"));
}

void readVersion2(const SogSection& top, SogMeta& meta) {
    meta.count = static_cast<size_t>(top.whole("count", 1, kMaxCount));
    meta.antialiased = top.text("model") == "antialiased";
    meta.logScales = shared(top.section("scales").codebook());
    meta.dc = shared(top.section("sh0").codebook());
    for (size_t b = 0; b < 256; ++b) meta.logitOpacities[b] = logitOfByte(static_cast<uint8_t>(b));
    if (!top.has("shN")) return;
    const SogSection higher = top.section("shN");
    meta.coefficients = higher.codebook();
    meta.paletteSize = static_cast<size_t>(higher.whole("count", 1, kSogMostEntries));
    meta.shDegree = static_cast<int>(higher.whole("bands", 1, kMaxShDegree));
}

}  // namespace

SogMeta parseSogMeta(const std::string& where, std::span<const std::byte> bytes) {
    const json document = parseJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, where);
    const SogSection top(where, document);
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
        const std::vector<std::string> names = top.section(section).files("files", static_cast<size_t>(count));
        file = std::copy_n(names.begin(), count, file);
    }
    return meta;
}

}  // namespace splat
