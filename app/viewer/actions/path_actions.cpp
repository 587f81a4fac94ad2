#include "viewer/actions/groups.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/scene/datasets/camera_lists.h>
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

namespace fs = std::filesystem;

constexpr double kFramesPerSecond = 60;  // of playing

CameraPath& path(Viewer& v) { return v.work().flight; }

bool hasPath(const Viewer& v) { return v.work().flight.keys().size() >= 2; }
bool hasKey(const Viewer& v) { return v.work().pathKey.has_value(); }

/// In scripts keys are counted from 1; without a number it is the one that is edited.
size_t keyOf(Viewer& v, Arguments& a) {
    const auto count = static_cast<uint32_t>(path(v).keys().size());
    if (count == 0) throw InputError("the path has no keys");
    if (a.more()) return a.count("the key", 1, count) - 1;
    if (!v.work().pathKey) throw InputError("no key of the path is selected");
    return *v.work().pathKey;
}

void addKey(Viewer& v, Arguments&) {
    path(v).add(poseOf(v.work().navigator));
    v.work().pathKey = path(v).keys().size() - 1;
    v.work().say(fmt::format("the path has {} keys", path(v).keys().size()));
}

void goToKey(Viewer& v, Arguments& a) {
    const size_t key = keyOf(v, a);
    v.work().showKey(key);
}

void replaceKey(Viewer& v, Arguments& a) { path(v).setPose(keyOf(v, a), poseOf(v.work().navigator)); }

void moveKey(Viewer& v, Arguments& a) {
    const size_t key = keyOf(v, a);
    v.work().pathKey = path(v).move(key, a.number("the seconds", 0, CameraPath::kMostSeconds));
}

void removeKey(Viewer& v, Arguments& a) {
    path(v).remove(keyOf(v, a));
    v.work().pathKey.reset();
}

void retime(Viewer& v, Arguments& a) {
    if (!hasPath(v)) throw InputError("the path has {} keys, expected at least 2", path(v).keys().size());
    path(v).retime(a.number("the seconds", 0.01, CameraPath::kMostSeconds));
}

uint32_t framesOf(const Viewer& v) {
    const double frames = std::round(kFramesPerSecond * v.work().flight.seconds());
    return static_cast<uint32_t>(std::clamp(frames, 2.0, double{Arguments::kMost}));
}

void renderPath(Viewer& v, Arguments& a) {
    const auto render = [&v](const fs::path& folder, uint32_t frames) {
        fs::create_directories(folder);
        v.play(frames, folder);
    };
    if (!a.more())
        return v.work().dialog.save("Render the path into a new folder", "path", "",
                                    [&v, render](const fs::path& p) { render(p, framesOf(v)); });
    const fs::path folder = a.text("the folder");
    render(folder, a.more() ? a.count("frames", 2) : framesOf(v));
    v.waitUntil({.what = "the path's pictures", .until = [&v] { return !v.playing(); }, .needsFrames = true});
}

/// Keys that see what the cameras do, but for roll and lens.
void importPath(Viewer& v, const fs::path& file) {
    std::vector<PathKey> keys;
    for (const NamedView& view : readCameraList(file)) {
        Navigator navigator = v.work().navigator;
        navigator.follow(view.camera);
        keys.push_back({poseOf(navigator), CameraPath::kSeconds * static_cast<double>(keys.size())});
    }
    path(v).set(std::move(keys));
    v.work().pathKey.reset();
    v.work().say(fmt::format("{}: the path has {} keys", file.filename().string(), path(v).keys().size()));
}

void importKeys(Viewer& v, Arguments& a) {
    if (a.more()) return importPath(v, a.text("the cameras"));
    v.work().dialog.open("Open cameras as keys of the path: a camera file, cameras.json or a dataset folder", {".json", "images.txt"},
                         [&v](const fs::path& file) { importPath(v, file); });
}

/// A camera per key; or so many along the path, at even times.
std::vector<NamedView> camerasOf(Viewer& v, uint32_t count) {
    const CameraPath& keys = path(v);
    std::vector<NamedView> views;
    const auto add = [&](const Pose& pose) {
        Navigator navigator = v.work().navigator;
        take(navigator, pose);
        views.push_back({fmt::format("{:05}", views.size()), navigator.camera(v.viewport().size())});
    };
    if (count == 0)
        for (const PathKey& key : keys.keys()) add(key.pose);
    for (uint32_t i = 0; i < count; ++i) add(keys.at(keys.seconds() * i / std::max(count - 1, 1u)));
    return views;
}

void exportKeys(Viewer& v, Arguments& a) {
    if (path(v).keys().empty()) throw InputError("the path has no keys");
    if (!a.more()) {
        std::vector<FileKind> kinds;
        for (const CameraList& list : cameraLists()) kinds.push_back({list.name, list.ending, list.help, *list.ending != '.'});
        return v.work().dialog.save(
            "Save the keys of the path as cameras", "path.json", kinds,
            [&v](const fs::path& file, const FileKind& kind) { cameraListByName(kind.name).write(file, camerasOf(v, 0)); });
    }
    const fs::path file = a.text("the file");
    const CameraList& list = cameraListByName(a.more() ? a.text("the format") : cameraLists().front().name);
    list.write(file, camerasOf(v, a.more() ? a.count("how many cameras", 1) : 0));
}

bool hasKeys(const Viewer& v) { return !v.work().flight.keys().empty(); }

constexpr Action kActions[] = {
    {"add_key", "K", "View", "", "add this view to the camera path", addKey},
    {"go_to_key", "", "", "[KEY]", "look from a key of the camera path, and edit it", goToKey},
    {"replace_key", "", "", "[KEY]", "make this view the key's", replaceKey, nullptr, hasKey},
    {"move_key", "", "", "KEY SECONDS", "move a key in time", moveKey},
    {"remove_key", "", "", "[KEY]", "remove a key", removeKey, nullptr, hasKey},
    {"path_seconds", "", "", "SECONDS", "make the camera path take so long", retime},
    {"clear_path", "", "View", "", "clear the camera path",
     [](Viewer& v, Arguments&) {
         path(v).clear();
         v.work().pathKey.reset();
     },
     nullptr, hasKeys},
    {"import_path", "", "View", "[PATH]", "make cameras of a camera file, of Inria's cameras.json or of a dataset the keys of the path",
     importKeys},
    {"export_path", "", "View", "[PATH] [FORMAT] [COUNT]",
     "save the keys of the camera path, or so many cameras along it: cameras (ours), inria or colmap", exportKeys, nullptr, hasKeys},
    {"play", "Space", "View", "[FRAMES]", "play the camera path",
     [](Viewer& v, Arguments& a) { v.play(a.more() ? a.count("frames", 2) : framesOf(v), {}); }, nullptr, hasPath},
    {"render_path", "", "View", "FOLDER [FRAMES]", "render the camera path to PNG files", renderPath, nullptr, hasPath},
};

}  // namespace

std::span<const Action> pathActions() { return kActions; }

}  // namespace splat::app
