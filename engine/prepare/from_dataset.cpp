#include <splatwright/prepare/from_dataset.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/prepare/dataset_out.h>
#include <splatwright/scene/dataset.h>

namespace splat::prepare {

namespace fs = std::filesystem;

namespace {

/// Name below images/, which names in transforms.json begin with.
std::string nameOf(const View& view) {
    constexpr std::string_view kImages = "images/";
    return view.file.starts_with(kImages) ? view.file.substr(kImages.size()) : view.file;
}

/// A dataset has six views of a panorama; a model has one image.
bool isImage(const View& view) { return !view.distortion.panorama() || view.distortion.face == CubeFace::front; }

/// COLMAP's model of a lens, and its parameters of the distortion. Throws InputError for a lens that COLMAP has not.
std::pair<const LensModel*, std::vector<double>> colmapLens(const View& view) {
    const Distortion& d = view.distortion;
    if (!d.model) return {findLensModel("PINHOLE"), {}};
    std::vector<double> parameters(d.parameters.begin(), d.parameters.begin() + static_cast<std::ptrdiff_t>(d.model->distortions()));
    if (d.model != &kPolynomialLens) return {d.model, parameters};
    if (parameters.back() != 0)
        throw InputError("{}: k4 is {}, expected 0: COLMAP has no camera model with nerfstudio's k4", view.image.string(),
                         parameters.back());
    const LensModel* full = findLensModel("FULL_OPENCV");
    parameters.resize(full->distortions(), 0);
    return {full, parameters};
}

ModelCamera cameraOf(const View& view, uint32_t id) {
    const auto& [lens, distortion] = colmapLens(view);
    const Camera& c = view.camera;
    ModelCamera camera{
        .id = id, .model = lens->id, .width = static_cast<uint64_t>(c.width), .height = static_cast<uint64_t>(c.height), .parameters = {}};
    if (lens->projection == Projection::panorama) {
        camera.parameters = {static_cast<double>(c.width), static_cast<double>(c.height)};
        return camera;
    }
    if (lens->focals == 2) camera.parameters.push_back(c.fx);
    camera.parameters.insert(camera.parameters.end(), {c.fy, c.cx, c.cy});
    camera.parameters.insert(camera.parameters.end(), distortion.begin(), distortion.end());
    return camera;
}

/// One camera per view: transforms.json may give each its own.
Model modelOf(const Dataset& dataset) {
    Model model;
    for (const View& view : dataset.views) {
        if (!isImage(view)) continue;
        const auto id = static_cast<uint32_t>(model.images.size() + 1);
        model.cameras.push_back(cameraOf(view, id));
        model.images.push_back({.id = id,
                                .rotation = glm::quat_cast(view.camera.rotation),
                                .translation = view.camera.translation,
                                .camera = id,
                                .name = nameOf(view)});
    }
    for (const Point& point : dataset.points)
        model.points.push_back({.id = model.points.size() + 1, .position = point.position, .colour = point.colour});
    return model;
}

/// The binary model of a COLMAP folder, with its keypoints and tracks.
Model readWholeModel(const fs::path& path) {
    for (const fs::path& folder : {path / "sparse" / "0", path / "sparse", path / "0", path}) {
        if (hasModel(folder)) return readModel(folder);
    }
    throw InputError("{}: found no images.bin, expected COLMAP's binary files (its model_converter writes them)", path.string());
}

void link(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    fs::create_directories(to.parent_path(), failed);
    fs::create_hard_link(fs::canonical(from, failed), to, failed);
    if (failed) fs::copy_file(from, to, failed);
    if (failed) throw Error("{}: cannot be written: {}", to.string(), failed.message());
}

void checkVacant(const fs::path& out) {
    std::error_code failed;
    if (fs::exists(out, failed) && !(fs::is_directory(out, failed) && fs::is_empty(out, failed)))
        throw InputError("{}: exists, expected a new or an empty folder", out.string());
}

}  // namespace

Report copyDataset(const Settings& settings, const std::string& format, Observer& observer) {
    checkVacant(settings.out);
    const Dataset dataset = loadDataset(settings.input, {.format = format});
    Model model = format == "colmap" ? readWholeModel(settings.input) : modelOf(dataset);
    if (model.images.empty()) throw InputError("{}: has no images, expected at least one", settings.input.string());
    observer.onStage("images", dataset.views.size());
    for (size_t i = 0; i < dataset.views.size(); ++i) {
        observer.check();
        if (!isImage(dataset.views[i])) continue;
        link(dataset.views[i].image, settings.out / "images" / (format == "colmap" ? dataset.views[i].file : nameOf(dataset.views[i])));
        observer.onProgress(i + 1);
    }
    Report report{.photographs = model.images.size(), .registered = model.images.size(), .points = model.points.size()};
    for (const ModelPoint& point : model.points) report.meanError += point.error / static_cast<double>(model.points.size());
    report.frame = sceneFrame(
        model, [](const ModelImage&) { return glm::dvec3(0, -1, 0); }, settings.distance);
    apply(report.frame.similarity, model);
    writeDataset(settings.out, model, report.frame);
    return report;
}

}  // namespace splat::prepare
