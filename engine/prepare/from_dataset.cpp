#include <splatwright/prepare/from_dataset.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/tools.h>
#include <splatwright/prepare/content_hash.h>
#include <splatwright/prepare/dataset_out.h>
#include <splatwright/prepare/poses.h>
#include <splatwright/prepare/work_folder.h>
#include <splatwright/scene/datasets/camera_models.h>
#include <splatwright/scene/datasets/dataset.h>

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

class Copy {
public:
    Copy(const Settings& settings, const std::string& format, Observer& observer)
        : settings_(settings), format_(format), observer_(observer), origin_(originOf(format, settings.input)) {}

    Report run();

private:
    void placeImages(const Dataset& dataset, const fs::path& staged) const;
    Model triangulated(const Model& model, const fs::path& images);
    Model withPoints(const Model& model, const fs::path& images);
    void tellNoPoints(const std::string& why) const;

    const Settings& settings_;
    const std::string& format_;
    Observer& observer_;
    Origin origin_;
    std::optional<WorkFolder> work_;
};

void Copy::placeImages(const Dataset& dataset, const fs::path& staged) const {
    observer_.onStage("images", dataset.views.size());
    for (size_t i = 0; i < dataset.views.size(); ++i) {
        observer_.check();
        const View& view = dataset.views[i];
        if (!isImage(view)) continue;
        place(view.image, staged / "images" / (format_ == "colmap" ? view.file : nameOf(view)));
        observer_.onProgress(i + 1);
    }
}

void Copy::tellNoPoints(const std::string& why) const {
    observer_.onNote(fmt::format("{}: has no points, and none are triangulated: {}. A training on it starts with random positions",
                                 settings_.input.string(), why));
}

Model Copy::triangulated(const Model& model, const fs::path& images) {
    const fs::path log = settings_.out / kLogFile;
    const Colmap colmap(requireTool("colmap", settings_.colmap), log, observer_);
    PosesInput input{.images = images, .work = settings_.out / kWorkFolder, .log = log, .known = &model};
    for (const ModelImage& image : model.images) {
        const fs::path file = images / image.name;
        input.photographs.push_back({image.name, readImageHeader(file).size, hashOfFile(file)});
        input.key += image.name + input.photographs.back().content;
    }
    std::ranges::sort(input.photographs, {}, &Photograph::name);
    input.key = hashOf(input.key);
    return triangulatePoints(colmap, input, work_->stages(), observer_);
}

/// With the points that COLMAP sees from the known cameras; without them, if there is no COLMAP for it, which is said.
Model Copy::withPoints(const Model& model, const fs::path& images) {
    const auto isPanorama = [](const ModelCamera& camera) { return findLensModel(camera.model)->projection == Projection::panorama; };
    try {
        if (std::ranges::none_of(model.cameras, isPanorama)) return triangulated(model, images);
        tellNoPoints("COLMAP has no camera model for panoramas");
    } catch (const InputError&) {
        throw;
    } catch (const Error& problem) {
        tellNoPoints(problem.what());
    }
    return model;
}

Report Copy::run() {
    checkFolder(settings_.out, origin_, settings_.force, false);
    const Dataset dataset = loadDataset(settings_.input, {.format = format_});
    Model model = format_ == "colmap" ? readWholeModel(settings_.input) : modelOf(dataset);
    if (model.images.empty()) throw InputError("{}: has no images, expected at least one", settings_.input.string());
    std::vector<std::string> names;
    for (const ModelImage& image : model.images) names.push_back(image.name);
    checkDistance(settings_.distance, names);
    work_.emplace(settings_.out, origin_, settings_.force, false);
    const fs::path staged = work_->own().stage();
    placeImages(dataset, staged);
    if (format_ != "colmap" && model.points.empty()) model = withPoints(model, staged / "images");
    observer_.onStage("dataset", 1);
    const auto up = [](const ModelImage&) { return glm::dvec3(0, -1, 0); };
    const SceneFrame frame = frameOf(model, staged / "images", settings_, up);
    Report report = writeInFrame(staged, std::move(model), frame);
    work_->own().place(origin_, kAllFiles);
    observer_.onProgress(1);
    return report;
}

}  // namespace

Report copyDataset(const Settings& settings, const std::string& format, Observer& observer) {
    return Copy(settings, format, observer).run();
}

}  // namespace splat::prepare
