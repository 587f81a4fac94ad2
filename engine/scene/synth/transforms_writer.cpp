#include <splatwright/scene/synth/transforms_writer.h>

#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>

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

/// Each frame has its own intrinsics, as nerfstudio allows, because views need not share a camera.
Json frame(const NamedCamera& view) {
    const Camera& camera = view.camera;
    return {{"file_path", view.name}, {"fl_x", camera.fx}, {"fl_y", camera.fy},  {"cx", camera.cx},
            {"cy", camera.cy},        {"w", camera.width}, {"h", camera.height}, {"transform_matrix", cameraToWorld(camera)}};
}

}  // namespace

void writeTransforms(const std::filesystem::path& file, const std::vector<NamedCamera>& views) {
    Json document{{"camera_model", "PINHOLE"}, {"frames", Json::array()}};
    for (const NamedCamera& view : views) document["frames"].push_back(frame(view));
    writeFileAtomically(file, document.dump(1) + "\n");
}

}  // namespace splat
