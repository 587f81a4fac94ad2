#include <splatwright/scene/datasets/transforms_writer.h>

#include <numbers>
#include <string_view>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/parse_json.h>

namespace splat {

namespace {

using Json = nlohmann::ordered_json;

Json cameraToWorld(const Camera& camera) {
    const glm::dmat3 toWorld = glm::transpose(camera.rotation);
    const glm::dvec3 position = camera.position();
    Json rows = Json::array();
    for (int row = 0; row < 3; ++row) rows.push_back({toWorld[0][row], -toWorld[1][row], -toWorld[2][row], position[row]});
    rows.push_back({0.0, 0.0, 0.0, 1.0});
    return rows;
}

/// The first five models of COLMAP are cases of nerfstudio's OPENCV.
std::string_view modelOf(const NamedCamera& view) {
    const LensModel* model = view.lens.distortion().model;
    return !model ? "PINHOLE" : model->id <= 4 ? "OPENCV" : model->name;
}

/// Each frame has its own intrinsics, as nerfstudio allows, because views need not share a camera. nerfstudio's focal lengths of a panorama are half
/// its width and its height.
Json frame(const NamedCamera& view) {
    const Camera& camera = view.lens.camera();
    const Distortion& distortion = view.lens.distortion();
    const double unit = distortion.panorama() ? std::numbers::pi : 1;
    Json json{{"file_path", view.name}, {"fl_x", unit * camera.fx}, {"fl_y", unit * camera.fy}, {"cx", camera.cx},
              {"cy", camera.cy},        {"w", camera.width},        {"h", camera.height}};
    for (size_t i = 0; distortion.model && i < distortion.model->distortions(); ++i)
        json[distortion.model->names.at(i)] = distortion.parameters.at(i);
    json["transform_matrix"] = cameraToWorld(camera);
    return json;
}

}  // namespace

void writeTransforms(const std::filesystem::path& file, const std::vector<NamedCamera>& views) {
    SPLAT_CHECK(!views.empty(), "no views");
    const std::string_view model = modelOf(views.front());
    Json document{{"camera_model", model}, {"frames", Json::array()}};
    for (const NamedCamera& view : views) {
        document["frames"].push_back(frame(view));
        if (modelOf(view) != model) document["frames"].back()["camera_model"] = modelOf(view);
    }
    writeFileAtomically(file, jsonText(document, 1) + "\n");
}

}  // namespace splat
