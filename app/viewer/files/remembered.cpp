#include "viewer/files/remembered.h"

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/platform/program.h>

namespace splat::app {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kVersion = 1;

/// A folder's name, if JSON can hold it: its text must be UTF-8.
Json nameOf(const fs::path& folder) {
    const std::string name = folder.string();
    return printable(name) == name ? Json(name) : Json("");
}

glm::ivec2 pairOf(const Json& json) { return {json.at(0).get<int>(), json.at(1).get<int>()}; }

Json toJson(const WindowPlace& w) {
    return {{"position", {w.position.x, w.position.y}}, {"size", {w.size.x, w.size.y}}, {"maximised", w.maximised}};
}

Remembered fromJson(const Json& json) {
    Remembered r;
    json.at("layout").get_to(r.layout);
    json.at("scale").get_to(r.scale);
    json.at("panels").get_to(r.panels);
    if (const Json& window = json.at("window"); !window.is_null())
        r.window = {.position = pairOf(window.at("position")), .size = pairOf(window.at("size")), .maximised = window.at("maximised")};
    json.at("render_mode").get_to(r.renderMode);
    json.at("tool").get_to(r.tool);
    json.at("brush").get_to(r.brush);
    json.at("all_models").get_to(r.allModels);
    json.at("fly").get_to(r.fly);
    json.at("legend").get_to(r.legend);
    r.openFolder = json.at("open_folder").get<std::string>();
    r.saveFolder = json.at("save_folder").get<std::string>();
    if (!(r.scale >= 0.1F && r.scale <= 10) || !(r.brush >= 1 && r.brush <= 1000))
        throw InputError("found scale {} and brush {}, expected 0.1 to 10 and 1 to 1000", r.scale, r.brush);
    return r;
}

}  // namespace

fs::path rememberedFile() {
    const fs::path folder = platform::userConfigFolder();
    return folder.empty() ? folder : folder / "viewer.json";
}

Remembered readRemembered(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return {};
    const Json json = parseOrderedJson(readTextFile(file), file.string());
    try {
        if (const int version = json.at("version"); version != kVersion)
            throw InputError("found version {}, expected {}", version, kVersion);
        return fromJson(json);
    } catch (const std::exception& problem) {
        throw InputError("{}: {}", file.string(), problem.what());
    }
}

void writeRemembered(const fs::path& file, const Remembered& r) {
    const Json json{{"version", kVersion},
                    {"layout", r.layout},
                    {"scale", r.scale},
                    {"panels", r.panels},
                    {"window", r.window ? toJson(*r.window) : Json()},
                    {"render_mode", r.renderMode},
                    {"tool", r.tool},
                    {"brush", r.brush},
                    {"all_models", r.allModels},
                    {"fly", r.fly},
                    {"legend", r.legend},
                    {"open_folder", nameOf(r.openFolder)},
                    {"save_folder", nameOf(r.saveFolder)}};
    fs::create_directories(file.parent_path());
    writeFileAtomically(file, jsonText(json, 2) + "\n");
}

}  // namespace splat::app
