#include <array>
#include <optional>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/datasets/colmap_files.h>
#include <splatwright/scene/datasets/datasets.h>
#include <splatwright/scene/datasets/image_paths.h>

namespace splat {

namespace fs = std::filesystem;

const LensModel& requireModel(const LensModel* model, const fs::path& path, uint32_t camera, const std::string& found) {
    if (model) return *model;
    throw InputError("{}: camera {}: model is {}, expected one of {} (COLMAP's image_undistorter converts others)", path.string(), camera,
                     found, lensModelNames());
}

void addCamera(ColmapCameras& cameras, const fs::path& path, uint32_t id, const Intrinsics& intrinsics) {
    if (!cameras.emplace(id, intrinsics).second) throw InputError("{}: camera {} appears twice, expected once", path.string(), id);
}

Point makePoint(const fs::path& path, uint64_t id, const glm::dvec3& position, std::array<uint8_t, 3> colour) {
    if (!withinCoordinates(position)) {
        throw InputError("{}: point {}: position is {}, {}, {}, expected finite numbers of at most {}", path.string(), id, position.x,
                         position.y, position.z, kMaxCoordinate);
    }
    return {glm::vec3(position), colour};
}

namespace {

/// Folder and encoding of a model.
struct Model {
    fs::path folder;
    const ColmapEncoding* encoding;

    fs::path file(const char* stem) const { return folder / (std::string(stem) + encoding->ending); }
};

/// Prefers binary over text, as COLMAP does. One of the two required files is enough to recognise a model.
std::optional<Model> findModel(const fs::path& path) {
    for (const fs::path& folder : {path / "sparse" / "0", path / "sparse", path / "0", path}) {
        for (const ColmapEncoding* encoding : {&kColmapBinary, &kColmapText}) {
            const Model model{folder, encoding};
            if (mayExist(model.file("cameras")) || mayExist(model.file("images"))) return model;
        }
    }
    return std::nullopt;
}

/// The folder `images` beside the model, or up to two levels above it if the path is the model's own folder.
fs::path imageFolder(const fs::path& path) {
    const fs::path absolute = fs::absolute(path / "").parent_path();
    for (const fs::path& beside : {path, absolute.parent_path(), absolute.parent_path().parent_path()}) {
        std::error_code ignored;
        if (fs::is_directory(beside / "images", ignored)) return beside / "images";
    }
    return path / "images";
}

/// Rotation matrix of the quaternion w, x, y, z, of any length except zero.
glm::dmat3 rotationMatrix(glm::dvec4 q) {
    q /= glm::length(q);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const glm::dmat3 rows(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),  //
                          2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),  //
                          2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
    return glm::transpose(rows);
}

// COLMAP writes unit quaternions; other programs may write unnormalised ones.
constexpr double kMinQuaternion = 1e-6, kMaxQuaternion = 1e6;

void checkPose(const std::string& prefix, const ColmapImage& image) {
    const auto& q = image.rotation;
    const auto& t = image.translation;
    const double length = glm::length(q);
    if (!(length >= kMinQuaternion && length <= kMaxQuaternion)) {
        throw InputError("{}: rotation is {}, {}, {}, {}, expected a finite quaternion of length {} to {}", prefix, q[0], q[1], q[2], q[3],
                         kMinQuaternion, kMaxQuaternion);
    }
    if (!withinCoordinates(t)) {
        throw InputError("{}: translation is {}, {}, {}, expected finite numbers of at most {}", prefix, t.x, t.y, t.z, kMaxCoordinate);
    }
}

View makeView(const fs::path& file, const ColmapImage& image, const ColmapCameras& cameras, const PathBounds& bounds) {
    const std::string prefix = fmt::format("{}: image '{}'", file.string(), shortened(escapedName(image.name), 160));
    checkPose(prefix, image);
    const auto intrinsics = cameras.find(image.camera);
    if (intrinsics == cameras.end()) {
        throw InputError("{}: camera is {}, expected the id of one of the {} cameras of the model", prefix, image.camera, cameras.size());
    }
    // A backslash in a name is first tried as a character of the name, then as a separator (as on Windows).
    const fs::path checked = checkedPath(fmt::format("{}: image name", file.string()), image.name, bounds.images, bounds);
    std::error_code ignored;
    const bool literal = image.name.find('\\') != std::string::npos && fs::is_regular_file(bounds.images / image.name, ignored);
    const fs::path path = literal ? fs::path(image.name) : checked;
    View view;
    view.file = nameBelow(bounds.images, path);
    if (view.file.empty()) throw InputError("{}: the name is not a file path, expected the path of an image", prefix);
    view.image = findImage((bounds.images / path).lexically_normal());
    view.camera = intrinsics->second.camera;
    view.camera.rotation = rotationMatrix(image.rotation);
    view.camera.translation = image.translation;
    view.distortion = intrinsics->second.distortion;
    return view;
}

bool recognises(const fs::path& path) { return findModel(path).has_value(); }

Dataset load(const fs::path& path, const DatasetOptions& options) {
    const Model model = findModel(path).value();
    const ColmapCameras cameras = model.encoding->readCameras(model.file("cameras"));
    const PathBounds bounds{.dataset = path,
                            .images = options.images.empty() ? imageFolder(path) : otherImageFolder(path, options.images),
                            .allowOutside = options.allowOutside};
    Dataset dataset;
    const fs::path imagesFile = model.file("images");
    std::map<uint32_t, size_t> viewFromImage;
    for (const ColmapImage& image : model.encoding->readImages(imagesFile)) {
        viewFromImage[image.id] = dataset.views.size();
        dataset.views.push_back(makeView(imagesFile, image, cameras, bounds));
    }
    const fs::path pointsFile = model.file("points3D");
    if (!mayExist(pointsFile)) return dataset;
    ColmapPoints points = model.encoding->readPoints(pointsFile);
    dataset.points = std::move(points.points);
    // Images that the model lacks, and further observations of a point by the same image, are skipped.
    for (const auto& [image, point] : points.observations) {
        const auto view = viewFromImage.find(image);
        if (view == viewFromImage.end()) continue;
        std::vector<uint32_t>& seen = dataset.views[view->second].points;
        if (seen.empty() || seen.back() != point) seen.push_back(point);
    }
    return dataset;
}

}  // namespace

extern const DatasetFormat kColmapDataset{
    .name = "colmap",
    .looksLike = "cameras.bin and images.bin (or .txt) in sparse/0, sparse or the folder itself",
    .recognises = recognises,
    .load = load,
};

}  // namespace splat
