#include <splatwright/prepare/dataset_out.h>

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>

namespace splat::prepare {

namespace {

using Json = nlohmann::ordered_json;

/// nerfstudio calls the first five models of COLMAP OPENCV, of which they are cases.
std::string_view lensName(const LensModel& lens) { return lens.id <= 4 ? "OPENCV" : lens.name; }

/// nerfstudio's focal lengths of a panorama are half its width and its height.
Json intrinsics(const ModelCamera& camera) {
    const LensModel& lens = *findLensModel(camera.model);
    const std::vector<double>& all = camera.parameters;
    Json values{{"camera_model", lensName(lens)}, {"w", camera.width}, {"h", camera.height}};
    if (lens.projection == Projection::panorama) {
        const auto width = static_cast<double>(camera.width), height = static_cast<double>(camera.height);
        values.update({{"fl_x", width / 2}, {"fl_y", height}, {"cx", width / 2}, {"cy", height / 2}});
        return values;
    }
    values.update({{"fl_x", all[0]}, {"fl_y", all[lens.focals - 1]}, {"cx", all[lens.focals]}, {"cy", all[lens.focals + 1]}});
    for (size_t i = 0; i < lens.distortions(); ++i) values[lens.names.at(i)] = all[lens.focals + 2 + i];
    return values;
}

/// Camera to world with OpenGL's axes: x right, y up, z backward.
Json cameraToWorld(const ModelImage& image) {
    const glm::dmat3 toWorld = glm::mat3_cast(glm::conjugate(image.rotation));
    const glm::dvec3 position = image.position();
    Json rows = Json::array();
    for (int row = 0; row < 3; ++row) rows.push_back({toWorld[0][row], -toWorld[1][row], -toWorld[2][row], position[row]});
    rows.push_back({0.0, 0.0, 0.0, 1.0});
    return rows;
}

Json transformsOf(const Model& model) {
    std::vector<const ModelImage*> sorted;
    for (const ModelImage& image : model.images) sorted.push_back(&image);
    std::ranges::sort(sorted, {}, &ModelImage::name);
    Json document{{"frames", Json::array()}};
    for (const ModelImage* image : sorted) {
        const auto camera = std::ranges::find(model.cameras, image->camera, &ModelCamera::id);
        if (camera == model.cameras.end()) throw Error("image {}: has no camera {}", image->id, image->camera);
        Json frame{{"file_path", "images/" + image->name}};
        frame.update(intrinsics(*camera));
        frame["transform_matrix"] = cameraToWorld(*image);
        document["frames"].push_back(std::move(frame));
    }
    return document;
}

Json frameDocument(const SceneFrame& frame) {
    const Similarity& s = frame.similarity;
    Json rows = Json::array();
    for (int row = 0; row < 3; ++row) {
        Json line = Json::array();
        for (int column = 0; column < 3; ++column) line.push_back(s.scale * s.rotation[column][row]);
        line.push_back(s.translation[row]);
        rows.push_back(std::move(line));
    }
    rows.push_back({0.0, 0.0, 0.0, 1.0});
    return {{"dataset_from_colmap", std::move(rows)},
            {"scale", s.scale},
            {"unit", frame.metres ? "metre" : "largest distance of a camera from the mean"},
            {"up", {0, -1, 0}},
            {"up_from", frame.plane ? "dominant plane" : "mean of the cameras"}};
}

}  // namespace

void writeDataset(const std::filesystem::path& folder, const Model& model, const SceneFrame& frame) {
    const auto write = [&](const char* name, const Json& document) {
        writeFileAtomically(folder / name, document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    };
    const Json transforms = transformsOf(model);  // before anything is written, because it may refuse the camera model
    writeModel(folder / "sparse" / "0", model);
    write("transforms.json", transforms);
    write("transform.json", frameDocument(frame));
}

}  // namespace splat::prepare
