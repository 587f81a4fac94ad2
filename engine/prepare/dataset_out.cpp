#include <splatwright/prepare/dataset_out.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/prepare/sparse_scene.h>
#include <splatwright/scene/datasets/transforms_writer.h>

namespace splat::prepare {

namespace {

using Json = nlohmann::ordered_json;

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
    Json document{{"dataset_from_colmap", std::move(rows)},
                  {"scale", s.scale},
                  {"unit", frame.metres ? "metre" : "largest distance of a camera from the mean"},
                  {"up", {0, -1, 0}},
                  {"up_from", frame.gps     ? "GPS"
                              : frame.plane ? "dominant plane"
                                            : "mean of the cameras"}};
    if (!frame.gps) return document;
    const GpsFit& fit = *frame.gps;
    const GeoPosition& origin = fit.origin;
    document["gps"] = {
        {"axes", {"east", "down", "north"}},
        {"origin", {{"latitude", origin.latitude}, {"longitude", origin.longitude}, {"altitude", origin.altitude.value_or(0)}}},
        {"positions", fit.positions},
        {"used", fit.used},
        {"residuals", {{"median", fit.median}, {"rms_of_used", fit.rms}, {"largest_of_used", fit.largest}}}};
    return document;
}

}  // namespace

void writeDataset(const std::filesystem::path& folder, const Model& model, const SceneFrame& frame) {
    std::vector<NamedCamera> views;  // before anything is written, because a camera may be refused
    for (const ModelImage& image : model.images) views.push_back({"images/" + image.name, lensOf(model, image)});
    std::ranges::sort(views, {}, &NamedCamera::name);
    writeModel(folder / "sparse" / "0", model);
    writeTransforms(folder / "transforms.json", views);
    writeFileAtomically(folder / "transform.json", frameDocument(frame).dump(1) + "\n");
}

SceneFrame frameOf(const Model& model, const std::filesystem::path& images, const Settings& settings,
                   const std::function<glm::dvec3(const ModelImage&)>& up) {
    if (!settings.gps) return sceneFrame(model, up, settings.distance);
    return gpsFrame(model, [&](const ModelImage& image) { return readShot(images / image.name).position; });
}

Report writeInFrame(const std::filesystem::path& folder, Model model, const SceneFrame& frame) {
    Report report{.photographs = model.images.size(), .registered = model.images.size(), .points = model.points.size()};
    for (const ModelPoint& point : model.points) report.meanError += point.error / static_cast<double>(report.points);
    report.frame = frame;
    apply(report.frame.similarity, model);
    writeDataset(folder, model, report.frame);
    return report;
}

}  // namespace splat::prepare
