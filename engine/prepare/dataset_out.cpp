#include <splatwright/prepare/dataset_out.h>

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>

namespace splat::prepare {

namespace {

using Json = nlohmann::ordered_json;

/// Names in transforms.json of the parameters of a camera model of COLMAP, in COLMAP's order; "f" is both focal lengths.
struct ParameterNames {
    int32_t model;
    std::vector<std::string_view> names;
};

const std::vector<ParameterNames>& parameterNames() {
    static const std::vector<ParameterNames> kNames{{0, {"f", "cx", "cy"}},
                                                    {1, {"fl_x", "fl_y", "cx", "cy"}},
                                                    {2, {"f", "cx", "cy", "k1"}},
                                                    {3, {"f", "cx", "cy", "k1", "k2"}},
                                                    {4, {"fl_x", "fl_y", "cx", "cy", "k1", "k2", "p1", "p2"}}};
    return kNames;
}

Json intrinsics(const ModelCamera& camera) {
    const auto row = std::ranges::find(parameterNames(), camera.model, &ParameterNames::model);
    if (row == parameterNames().end())
        throw Error("camera {}: transforms.json has no model {}, expected SIMPLE_PINHOLE, PINHOLE, SIMPLE_RADIAL, RADIAL or OPENCV",
                    camera.id, modelCameraKind(camera.model)->name);
    Json values{{"w", camera.width}, {"h", camera.height}};
    for (size_t i = 0; i < row->names.size(); ++i) {
        const std::string name(row->names[i]);
        if (name == "f") {
            values["fl_x"] = values["fl_y"] = camera.parameters[i];
        } else {
            values[name] = camera.parameters[i];
        }
    }
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
    Json document{{"camera_model", "OPENCV"}, {"frames", Json::array()}};
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
