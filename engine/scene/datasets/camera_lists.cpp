#include <splatwright/scene/datasets/camera_lists.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/ranges.h>
#include <glm/gtc/quaternion.hpp>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/json_object.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/datasets/datasets.h>

namespace splat {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kColmapImages = "images.txt";

/// A camera of Inria's list, whose pose is from the camera to the world and whose principal point is the middle.
NamedView inriaCamera(const json& entry) {
    Camera c{.width = wholeNumber<int>(entry.at("width")).value_or(0),
             .height = wholeNumber<int>(entry.at("height")).value_or(0),
             .fx = entry.at("fx").get<double>(),
             .fy = entry.at("fy").get<double>()};
    c.cx = 0.5 * c.width;
    c.cy = 0.5 * c.height;
    glm::dvec3 position;
    for (int row = 0; row < 3; ++row) {
        const auto r = static_cast<size_t>(row);
        position[row] = entry.at("position").at(r).get<double>();
        for (int column = 0; column < 3; ++column)  // the inverse of a rotation is its transpose
            c.rotation[row][column] = entry.at("rotation").at(r).at(static_cast<size_t>(column)).get<double>();
    }
    c.translation = -(c.rotation * position);
    return {entry.at("img_name").get<std::string>(), c};
}

std::vector<NamedView> readInria(const fs::path& path) {
    const json list = readJson(path);
    std::vector<NamedView> views;
    for (size_t i = 0; i < list.size(); ++i) {
        const std::string prefix = fmt::format("{}: camera {}", path.string(), i);
        try {
            views.push_back(inriaCamera(list.at(i)));
        } catch (const json::exception& problem) {
            throw InputError("{}: {}", prefix, problem.what());
        }
        const Camera& c = views.back().camera;
        if (std::min(c.width, c.height) < 1 || std::max(c.width, c.height) > kMaxSide)
            throw InputError("{}: width and height are {} and {}, expected 1 to {}", prefix, c.width, c.height, kMaxSide);
        checkLens(prefix, c, {});
        if (!isRotation(c.rotation) || !withinCoordinates(c.translation))
            throw InputError("{}: found {}, expected a rotation and a position", prefix, jsonExcerpt(list[i]));
    }
    return views;
}

void writeInria(const fs::path& path, const std::vector<NamedView>& views) {
    auto list = nlohmann::ordered_json::array();
    for (const NamedView& view : views) {
        const Camera& c = view.camera;
        const glm::dvec3 position = c.position();
        auto rotation = nlohmann::ordered_json::array();
        for (int row = 0; row < 3; ++row) rotation.push_back({c.rotation[row][0], c.rotation[row][1], c.rotation[row][2]});
        list.push_back({{"id", list.size()},
                        {"img_name", view.name},
                        {"width", c.width},
                        {"height", c.height},
                        {"position", {position.x, position.y, position.z}},
                        {"rotation", rotation},
                        {"fy", c.fy},
                        {"fx", c.fx}});
    }
    writeFileAtomically(path, jsonText(list) + "\n");
}

std::vector<NamedView> readDataset(const fs::path& folder) {
    std::vector<NamedView> views;
    for (const View& view : listDataset(folder).views) views.push_back({view.name, view.camera});
    return views;
}

/// As text: a camera for each image, and no points. path: the folder, or its images.txt.
void writeColmap(const fs::path& path, const std::vector<NamedView>& views) {
    const fs::path folder = path.filename() == kColmapImages ? path.parent_path() : path;
    std::string cameras, images;
    for (size_t i = 0; i < views.size(); ++i) {
        const Camera& c = views[i].camera;
        const glm::dquat q = glm::quat_cast(c.rotation);
        cameras += fmt::format("{} PINHOLE {} {} {} {} {} {}\n", i + 1, c.width, c.height, c.fx, c.fy, c.cx, c.cy);
        images += fmt::format("{} {} {} {} {} {} {} {} {} {}.png\n\n", i + 1, q.w, q.x, q.y, q.z, c.translation.x, c.translation.y,
                              c.translation.z, i + 1, views[i].name);
    }
    fs::create_directories(folder);
    writeFileAtomically(folder / "cameras.txt", cameras);
    writeFileAtomically(folder / kColmapImages, images);
    writeFileAtomically(folder / "points3D.txt", std::string());
}

constexpr std::array kLists{
    CameraList{"cameras", ".json", "our camera file, which `render` reads", readCameraFile, writeCameraFile},
    CameraList{"inria", ".json", "cameras.json of Inria's trainer", readInria, writeInria},
    CameraList{"colmap", kColmapImages, "a folder with COLMAP's cameras.txt and images.txt", readDataset, writeColmap},
};

bool isInria(const fs::path& path) {
    const json list = readJson(path);
    return list.is_array() && !list.empty() && list[0].is_object() && list[0].contains("position");
}

}  // namespace

std::span<const CameraList> cameraLists() { return kLists; }

const CameraList& cameraListByName(std::string_view name) {
    const auto* const found = std::ranges::find(kLists, name, &CameraList::name);
    if (found != kLists.end()) return *found;
    std::vector<std::string_view> known;
    for (const CameraList& list : kLists) known.emplace_back(list.name);
    throw InputError("unknown list of cameras '{}', expected one of: {}", name, fmt::join(known, ", "));
}

std::vector<NamedView> readCameraList(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return readDataset(path);
    if (path.filename() == kColmapImages) return readDataset(path.parent_path());
    return isInria(path) ? readInria(path) : readCameraFile(path);
}

}  // namespace splat
