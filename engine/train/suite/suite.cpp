#include <splatwright/train/suite/suite.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <splatwright/core/input_file.h>
#include <splatwright/core/json_object.h>
#include <splatwright/core/read_number.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr size_t kLongestName = 64;  // bytes of a folder name
constexpr int kMaxSide = 8192;       // pixels, as synth has it

/// A name that becomes a folder's.
std::string folderName(const JsonObject& object) {
    const std::string name = object.text("name");
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    const bool plain = std::ranges::all_of(name, [&](char c) { return kLetters.find(c) != std::string_view::npos; });
    const bool valid = plain && !name.empty() && name.size() <= kLongestName && name.front() != '.' && name.front() != '-';
    // Results have these names beside the folders of the scenes.
    const bool isReserved = name == kSuiteDataFolder || name.starts_with("suite.") || name == "run.lock";
    if (!valid || isReserved) {
        object.refuse("name", fmt::format("a folder name: letters, digits and ._+-, not starting with . or -, at most {} bytes, not {}, "
                                          "suite.* or run.lock",
                                          kLongestName, kSuiteDataFolder));
    }
    return name;
}

/// The object of settings of this key, checked by name, type and range; empty if there is none.
json settingsIn(const JsonObject& object) {
    if (!object.has("settings")) return json::object();
    TrainSettings scratch;
    const json& settings = object.get("settings");
    settingsFromJson(settingFields(scratch), settings, object.at("settings"));
    if (settings.contains("seed")) throw InputError("{}: seed is given, expected it in the list `seeds` only", object.at("settings"));
    return settings;
}

fs::path resolved(const fs::path& suite, const fs::path& path) { return fs::absolute(suite).parent_path() / path; }

/// "640x480".
std::pair<int, int> sizeIn(const JsonObject& object) {
    const std::string text = object.text("size");
    const std::string_view view = text;
    const size_t cross = std::min(view.find('x'), view.size() - 1);
    int width = 0, height = 0;
    const bool numbers = readNumber(view.substr(0, cross), width) && readNumber(view.substr(cross + 1), height);
    if (!numbers || std::min(width, height) < 1 || std::max(width, height) > kMaxSide)
        object.refuse("size", fmt::format("WIDTHxHEIGHT, each 1 to {} pixels", kMaxSide));
    return {width, height};
}

/// The key's text, which `check` refuses with an InputError of its own.
std::string checkedText(const JsonObject& object, std::string_view key, void (*check)(std::string_view text)) {
    const std::string text = object.text(key);
    try {
        check(text);
    } catch (const InputError& problem) {
        throw InputError("{}: {}", object.at(key), problem.what());
    }
    return text;
}

SynthOptions synthIn(const JsonObject& scene) {
    const JsonObject object(scene.at("synth"), scene.get("synth"),
                            {"scene", "views", "size", "region_share", "transients", "colour_changes", "seed"});
    SynthOptions options;
    if (object.has("scene")) options.scene = checkedText(object, "scene", [](std::string_view name) { findSynthScene(name); });
    if (object.has("views")) options.views = object.whole("views", 1, kMaxSynthViews);
    if (object.has("size")) std::tie(options.width, options.height) = sizeIn(object);
    if (object.has("region_share")) options.regionShare = object.whole("region_share", 0, 100);
    if (object.has("transients")) options.transients = object.whole("transients", 0, 100);
    if (object.has("colour_changes")) options.colourChanges = static_cast<float>(object.number("colour_changes", 0, 1));
    if (object.has("seed")) options.seed = object.whole<uint64_t>("seed", 0, UINT64_MAX);
    return options;
}

SuiteScene sceneIn(const std::string& where, const json& value, const fs::path& suite) {
    const JsonObject object(where, value, {"name", "data", "synth", "dataset", "images", "settings"});
    if (object.has("data") == object.has("synth")) throw InputError("{}: expected either data or synth", where);
    SuiteScene scene{.name = folderName(object), .data = {}, .synth = {}, .reading = {}, .settings = settingsIn(object)};
    if (object.has("synth")) {
        scene.synth = synthIn(object);
    } else {
        scene.data = resolved(suite, object.text("data")).lexically_normal();
        std::error_code failed;
        if (!fs::exists(resolved(suite, object.text("data")), failed))
            throw InputError("{}: found '{}', which does not exist, expected a dataset", object.at("data"), scene.data.string());
    }
    if (object.has("dataset")) scene.reading.format = checkedText(object, "dataset", checkDatasetFormat);
    if (object.has("images")) scene.reading.images = object.text("images");
    return scene;
}

/// A name of a preset, or an object that names its own.
SuitePreset presetIn(const std::string& where, const json& value, const fs::path& suite) {
    const json named = value.is_string() ? json{{"name", value}, {"preset", value}} : value;
    const JsonObject object(where, named, {"name", "preset", "settings"});
    SuitePreset preset{.name = folderName(object), .preset = {}, .settings = settingsIn(object)};
    if (object.has("preset")) preset.preset = object.text("preset");
    if (mayExist(resolved(suite, preset.preset)) && !preset.preset.empty() && !value.is_string())
        preset.preset = resolved(suite, preset.preset).lexically_normal().string();
    return preset;
}

template <class Item>
void checkDistinct(const std::vector<Item>& items, const std::string& where) {
    std::set<std::string> names;
    for (const Item& item : items) {
        if (!names.insert(item.name).second) throw InputError("{}: the name '{}' is given twice, expected once", where, item.name);
    }
}

template <class Read>
auto listIn(const JsonObject& suite, const char* key, const fs::path& file, const Read& read) {
    std::vector<decltype(read(std::string(), json(), file))> items;
    for (const json& value : suite.list(key)) items.push_back(read(fmt::format("{}[{}]", suite.at(key), items.size()), value, file));
    checkDistinct(items, suite.at(key));
    return items;
}

std::vector<uint32_t> seedsIn(const JsonObject& suite) {
    std::vector<uint32_t> seeds;
    for (const json& value : suite.list("seeds")) {
        const auto seed = wholeNumber<uint32_t>(value);
        const std::string where = fmt::format("{}[{}]: found {}", suite.at("seeds"), seeds.size(), jsonExcerpt(value));
        if (!seed) throw InputError("{}, expected a whole number, 0 to {}", where, UINT32_MAX);
        if (std::ranges::find(seeds, *seed) != seeds.end()) throw InputError("{} again, expected each seed once", where);
        seeds.push_back(*seed);
    }
    return seeds;
}

}  // namespace

json Suite::settingsOf(const SuiteScene& scene, const SuitePreset& preset, uint32_t seed) const {
    json merged = settings;
    merged.update(scene.settings);
    merged.update(preset.settings);
    merged["seed"] = seed;
    return merged;
}

Suite readSuite(const fs::path& file) {
    const json root = readJson(file);
    const JsonObject object(file.string(), root, {"scenes", "presets", "seeds", "settings"});
    return {.file = file,
            .scenes = listIn(object, "scenes", file, sceneIn),
            .presets = listIn(object, "presets", file, presetIn),
            .seeds = seedsIn(object),
            .settings = settingsIn(object)};
}

}  // namespace splat
