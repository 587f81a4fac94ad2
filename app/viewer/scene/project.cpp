#include "viewer/scene/project.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>

namespace splat::app {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kVersion = 1;
constexpr const char* kFolderEnding = ".files";
constexpr uint32_t kFlags = shared::kMarkSelected | shared::kMarkHidden | shared::kMarkDeleted;

std::string pathText(const fs::path& path, const fs::path& folder) {
    const fs::path below = path.lexically_relative(folder);
    const bool isBelow = !below.empty() && *below.begin() != "..";
    std::string text = (isBelow ? below : path).generic_string();
    if (printable(text) != text) throw InputError("{}: a project cannot hold a name that is not UTF-8", printable(text));
    return text;
}

/// Empty stays empty.
fs::path pathOf(const Json& text, const fs::path& folder) {
    const fs::path path = text.get<std::string>();
    return path.empty() ? path : (folder / path).lexically_normal();
}

Json toJson(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

glm::dvec3 vectorOf(const Json& json) { return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()}; }

Json toJson(const Pose& pose) { return {{"eye", toJson(pose.eye)}, {"target", toJson(pose.target)}, {"field_of_view", pose.fieldOfView}}; }

Pose poseOf(const Json& json) {
    const Pose pose{
        .eye = vectorOf(json.at("eye")), .target = vectorOf(json.at("target")), .fieldOfView = json.at("field_of_view").get<double>()};
    if (pose.eye == pose.target) throw InputError("found an eye at its target, expected two points");
    return pose;
}

Json toJson(const std::vector<Pose>& poses) {
    Json list = Json::array();
    for (const Pose& pose : poses) list.push_back(toJson(pose));
    return list;
}

std::vector<Pose> posesOf(const Json& list) {
    std::vector<Pose> poses;
    for (const Json& pose : list) poses.push_back(poseOf(pose));
    return poses;
}

Json toJson(const std::vector<PathKey>& keys) {
    Json list = Json::array();
    for (const PathKey& key : keys) {
        list.push_back(toJson(key.pose));
        list.back()["time"] = key.time;
    }
    return list;
}

std::vector<PathKey> keysOf(const Json& list) {
    std::vector<PathKey> keys;
    for (const Json& key : list) keys.push_back({poseOf(key), key.at("time").get<double>()});
    return keys;
}

Json toJson(const ModelTransform& t) {
    return {
        {"translation", toJson(t.translation)}, {"rotation", {t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z}}, {"scale", t.scale}};
}

ModelTransform transformOf(const Json& json) {
    const Json& r = json.at("rotation");
    const ModelTransform t{.translation = vectorOf(json.at("translation")),
                           .rotation = {r.at(0).get<double>(), r.at(1).get<double>(), r.at(2).get<double>(), r.at(3).get<double>()},
                           .scale = json.at("scale").get<double>()};
    if (!(t.scale > 0) || !(glm::dot(t.rotation, t.rotation) > 0))
        throw InputError("found scale {} and a rotation of length {}, expected both above 0", t.scale, glm::length(t.rotation));
    return t;
}

/// Count and flags in turn: most splats have the flags of the one before.
Json toJson(const std::vector<MarkRun>& runs) {
    Json list = Json::array();
    for (const MarkRun& run : runs) {
        list.push_back(run.count);
        list.push_back(run.flags);
    }
    return list;
}

std::vector<MarkRun> runsOf(const Json& list) {
    std::vector<MarkRun> runs;
    for (size_t i = 0; i < list.size(); i += 2) {
        const auto count = wholeNumber<uint32_t>(list.at(i));
        const auto flags = wholeNumber<uint8_t>(list.at(i + 1));
        if (!count || !flags || *flags > kFlags) throw InputError("found marks {}, expected counts and flags", jsonText(list.at(i)));
        runs.push_back({*count, *flags});
    }
    return runs;
}

Json toJson(const ProjectModel& model, const fs::path& folder) {
    return {{"file", pathText(model.file, folder)}, {"name", model.name},          {"visible", model.visible}, {"locked", model.locked},
            {"transform", toJson(model.transform)}, {"marks", toJson(model.marks)}};
}

ProjectModel modelOf(const Json& json, const fs::path& folder) {
    return {.file = pathOf(json.at("file"), folder),
            .name = json.at("name").get<std::string>(),
            .visible = json.at("visible").get<bool>(),
            .locked = json.at("locked").get<bool>(),
            .transform = transformOf(json.at("transform")),
            .marks = runsOf(json.at("marks"))};
}

Json toJson(const ProjectTraining& training, const fs::path& folder) {
    return {{"data", pathText(training.data, folder)},
            {"run", pathText(training.run, folder)},
            {"checkpoint", pathText(training.checkpoint, folder)},
            {"format", training.format},
            {"settings", training.settings}};
}

ProjectTraining trainingOf(const Json& json, const fs::path& folder) {
    return {.data = pathOf(json.at("data"), folder),
            .run = pathOf(json.at("run"), folder),
            .checkpoint = pathOf(json.at("checkpoint"), folder),
            .format = json.at("format").get<std::string>(),
            .settings = nlohmann::json(json.at("settings"))};
}

Json toJson(const ProjectCamera& camera) {
    Json json = toJson(camera.pose);
    json["up"] = toJson(camera.up);
    json["fly"] = camera.fly;
    json["orthographic"] = camera.orthographic;
    return json;
}

ProjectCamera cameraOf(const Json& json) {
    return {.pose = poseOf(json),
            .up = vectorOf(json.at("up")),
            .fly = json.at("fly").get<bool>(),
            .orthographic = json.at("orthographic").get<bool>()};
}

Json toJson(const ModeRanges::Range& range) { return {{"automatic", range.automatic}, {"low", range.low}, {"high", range.high}}; }

ModeRanges::Range rangeOf(const Json& json) {
    return {.automatic = json.at("automatic").get<bool>(), .low = json.at("low").get<double>(), .high = json.at("high").get<double>()};
}

Json toJson(const ModeRanges::Locks& locks) {
    Json modes = Json::object();
    for (const auto& [mode, range] : locks.modes) modes[mode] = toJson(range);
    return {{"modes", modes}, {"shared", toJson(locks.shared)}};
}

ModeRanges::Locks locksOf(const Json& json) {
    ModeRanges::Locks locks{.modes = {}, .shared = rangeOf(json.at("shared"))};
    for (const auto& [mode, range] : json.at("modes").items()) locks.modes[std::string(renderModeByName(mode).name)] = rangeOf(range);
    return locks;
}

Project projectOf(const Json& json, const fs::path& folder) {
    Project project;
    project.savedAs = pathOf(json.at("saved_as"), folder);
    for (const Json& model : json.at("models")) project.models.push_back(modelOf(model, folder));
    if (const Json& training = json.at("training"); !training.is_null()) project.training = trainingOf(training, folder);
    project.camera = cameraOf(json.at("camera"));
    project.bookmarks = posesOf(json.at("bookmarks"));
    project.path = keysOf(json.at("path"));
    settingsFromJson(settingFields(project.picture), nlohmann::json(json.at("picture")), "picture");
    project.ranges = locksOf(json.at("ranges"));
    const Json& aids = json.at("aids");
    project.aids = {.grid = aids.at("grid").get<bool>(), .axes = aids.at("axes").get<bool>(), .cube = aids.at("cube").get<bool>()};
    return project;
}

}  // namespace

std::vector<MarkRun> runsOf(std::span<const uint8_t> flags) {
    std::vector<MarkRun> runs;
    for (const uint8_t flag : flags) {
        if (runs.empty() || runs.back().flags != flag) runs.push_back({0, flag});
        ++runs.back().count;
    }
    if (runs.size() == 1 && runs.front().flags == 0) runs.clear();
    return runs;
}

std::vector<uint8_t> flagsOf(std::span<const MarkRun> runs, uint32_t count) {
    uint64_t sum = 0;
    for (const MarkRun& run : runs) sum += run.count;
    std::vector<uint8_t> flags;
    if (sum != count) return flags;
    for (const MarkRun& run : runs) flags.insert(flags.end(), run.count, run.flags);
    return flags;
}

std::string projectText(Project project, const fs::path& folder) {
    Json models = Json::array();
    for (const ProjectModel& model : project.models) models.push_back(toJson(model, folder));
    const SceneAids& aids = project.aids;
    const Json json{{"splatproject", kVersion},
                    {"saved_as", pathText(project.savedAs, folder)},
                    {"models", models},
                    {"training", project.training ? toJson(*project.training, folder) : Json()},
                    {"camera", toJson(project.camera)},
                    {"bookmarks", toJson(project.bookmarks)},
                    {"path", toJson(project.path)},
                    {"picture", settingsToJson(settingFields(project.picture))},
                    {"ranges", toJson(project.ranges)},
                    {"aids", {{"grid", aids.grid}, {"axes", aids.axes}, {"cube", aids.cube}}}};
    return jsonText(json, 2) + "\n";
}

Project readProject(const fs::path& file) {
    const Json json = parseOrderedJson(readTextFile(file), file.string());
    try {
        if (const int version = json.at("splatproject").get<int>(); version != kVersion)
            throw InputError("found version {}, expected {}", version, kVersion);
        return projectOf(json, fs::absolute(file).parent_path());
    } catch (const std::exception& problem) {  // of the library, for a key that is missing or of another type, as well
        throw InputError("{}: {}", file.string(), problem.what());
    }
}

fs::path projectFolder(const fs::path& file) {
    fs::path folder = file;
    return folder += kFolderEnding;
}

bool isProjectFolder(const fs::path& folder) { return folder.string().ends_with(std::string(kProjectEnding) + kFolderEnding); }

}  // namespace splat::app
