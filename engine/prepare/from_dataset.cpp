#include <splatwright/prepare/from_dataset.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/prepare/dataset_out.h>
#include <splatwright/scene/dataset.h>

namespace splat::prepare {

namespace fs = std::filesystem;

namespace {

constexpr int32_t kOpencv = 4;  // COLMAP's number of the model fx, fy, cx, cy, k1, k2, p1, p2

/// Name below images/, which names in transforms.json begin with.
std::string nameOf(const View& view) {
    constexpr std::string_view kImages = "images/";
    return view.file.starts_with(kImages) ? view.file.substr(kImages.size()) : view.file;
}

/// One camera per view: transforms.json may give each its own.
Model modelOf(const Dataset& dataset) {
    Model model;
    for (const View& view : dataset.views) {
        const Camera& c = view.camera;
        const Distortion& d = view.distortion;
        const auto id = static_cast<uint32_t>(model.images.size() + 1);
        model.cameras.push_back({.id = id,
                                 .model = kOpencv,
                                 .width = static_cast<uint64_t>(c.width),
                                 .height = static_cast<uint64_t>(c.height),
                                 .parameters = {c.fx, c.fy, c.cx, c.cy, d.k1, d.k2, d.p1, d.p2}});
        model.images.push_back(
            {.id = id, .rotation = glm::quat_cast(c.rotation), .translation = c.translation, .camera = id, .name = nameOf(view)});
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
