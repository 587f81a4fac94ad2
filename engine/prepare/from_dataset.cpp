#include <splatwright/prepare/from_dataset.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/prepare/dataset_out.h>
#include <splatwright/prepare/photographs.h>
#include <splatwright/scene/datasets/camera_models.h>

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

/// COLMAP's model of a lens. Throws InputError for a lens that COLMAP has not.
const LensModel& colmapLens(const View& view) {
    const Distortion& d = view.distortion;
    if (!d.model) return *findLensModel("PINHOLE");
    if (d.model != &kPolynomialLens) return *d.model;
    const double k4 = d.parameters.at(kPolynomialLens.distortions() - 1);
    if (k4 != 0) throw InputError("{}: k4 is {}, expected 0: COLMAP has no camera model with nerfstudio's k4", view.image.string(), k4);
    return *findLensModel("FULL_OPENCV");  // whose k4 to k6 follow the same parameters
}

ModelCamera cameraOf(const View& view, uint32_t id) {
    const LensModel& lens = colmapLens(view);
    const Camera& c = view.camera;
    return {.id = id,
            .model = lens.id,
            .width = static_cast<uint64_t>(c.width),
            .height = static_cast<uint64_t>(c.height),
            .parameters = parametersOf(lens, c, view.distortion)};
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
        place(dataset.views[i].image, settings.out / "images" / (format == "colmap" ? dataset.views[i].file : nameOf(dataset.views[i])));
        observer.onProgress(i + 1);
    }
    const auto up = [](const ModelImage&) { return glm::dvec3(0, -1, 0); };
    const size_t images = model.images.size();
    return writeInOwnFrame(settings, std::move(model), images, up);
}

}  // namespace splat::prepare
