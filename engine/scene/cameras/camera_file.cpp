#include <splatwright/scene/cameras/camera_file.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/json_object.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/files/json_reader.h>

namespace splat {

namespace {

using nlohmann::json;

double required(const JsonProperties& camera, const char* property) {
    const auto value = camera.number(property);
    if (!value) throw InputError("{}: {} is missing, expected a number", camera.prefix(), property);
    return *value;
}

int side(const JsonProperties& camera, const char* property) {
    const double value = required(camera, property);
    if (value < 1 || value > kMaxRenderedSide || value != std::floor(value)) {
        throw InputError("{}: {} is {}, expected a whole number from 1 to {}", camera.prefix(), property, value, kMaxRenderedSide);
    }
    return static_cast<int>(value);
}

[[noreturn]] void refuseMatrix(const JsonProperties& camera, const std::string& found) {
    throw InputError("{}: world_to_camera is {}, expected 4 rows of 4 numbers, a rotation in front", camera.prefix(), found);
}

double element(const JsonProperties& camera, const json& matrix, size_t row, size_t column) {
    const bool there =
        matrix.is_array() && matrix.size() == 4 && matrix[row].is_array() && matrix[row].size() == 4 && matrix[row][column].is_number();
    if (!there) refuseMatrix(camera, jsonExcerpt(matrix));
    return matrix[row][column].get<double>();
}

void setPose(Camera& camera, const JsonProperties& properties) {
    const json* matrix = properties.find("world_to_camera");
    if (!matrix) refuseMatrix(properties, "missing");
    for (int row = 0; row < 3; ++row) {
        const auto r = static_cast<size_t>(row);
        for (int column = 0; column < 3; ++column)
            camera.rotation[column][row] = element(properties, *matrix, r, static_cast<size_t>(column));
        camera.translation[row] = element(properties, *matrix, r, 3);
    }
    if (!isRotation(camera.rotation) || !withinCoordinates(camera.translation)) refuseMatrix(properties, jsonExcerpt(*matrix));
}

NamedView readCamera(const JsonProperties& properties, const std::string& name) {
    NamedView view{properties.text("name").value_or(name), {}};
    view.camera.width = side(properties, "width");
    view.camera.height = side(properties, "height");
    view.camera.fx = required(properties, "fl_x");
    view.camera.fy = required(properties, "fl_y");
    view.camera.cx = required(properties, "cx");
    view.camera.cy = required(properties, "cy");
    checkLens(properties.prefix(), view.camera, {});
    setPose(view.camera, properties);
    return view;
}

}  // namespace

nlohmann::ordered_json cameraJson(const NamedView& view) {
    const Camera& c = view.camera;
    auto matrix = nlohmann::ordered_json::array();
    for (int row = 0; row < 3; ++row) matrix.push_back({c.rotation[0][row], c.rotation[1][row], c.rotation[2][row], c.translation[row]});
    matrix.push_back({0, 0, 0, 1});
    return {{"name", view.name}, {"width", c.width}, {"height", c.height}, {"fl_x", c.fx},
            {"fl_y", c.fy},      {"cx", c.cx},       {"cy", c.cy},         {"world_to_camera", std::move(matrix)}};
}

std::vector<NamedView> readCameraFile(const std::filesystem::path& path) {
    const json root = readJson(path);
    const json list = root.is_array() ? root : json::array({root});
    const json nothing = json::object();
    std::vector<NamedView> views;
    for (size_t i = 0; i < list.size(); ++i) {
        const std::string prefix = fmt::format("{}: camera {}", path.string(), i);
        if (!list[i].is_object()) throw InputError("{}: found {}, expected an object", prefix, jsonExcerpt(list[i]));
        views.push_back(readCamera(JsonProperties(prefix, list[i], nothing), fmt::format("camera_{:04}", i)));
    }
    if (views.empty()) throw InputError("{}: the list is empty, expected at least one camera", path.string());
    return views;
}

void writeCameraFile(const std::filesystem::path& path, const std::vector<NamedView>& views) {
    auto list = nlohmann::ordered_json::array();
    for (const NamedView& view : views) list.push_back(cameraJson(view));
    writeFileAtomically(path, jsonText(list, 2) + "\n");
}

}  // namespace splat
