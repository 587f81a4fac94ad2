#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/json_object.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/datasets/datasets.h>
#include <splatwright/scene/datasets/frame_intrinsics.h>
#include <splatwright/scene/datasets/image_paths.h>
#include <splatwright/scene/datasets/named_uses.h>
#include <splatwright/scene/files/json_reader.h>
#include <splatwright/scene/formats/ply_points.h>
#include <splatwright/scene/images/image_file.h>

namespace splat {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct File {
    fs::path path;
    bool isTest = false;
};

/// Whether something other than a folder may exist at the path; opening it reports any other problem.
bool isFile(const fs::path& path) {
    std::error_code ignored;
    return mayExist(path) && !fs::is_directory(path, ignored);
}

/// transforms.json, or the three files of NeRF-synthetic. Validation views are used only if there are no test views: the reference trainers ignore
/// them, so training on them would make results incomparable with published ones.
std::vector<File> findFiles(const fs::path& path) {
    if (isFile(path)) return path.extension() == ".json" ? std::vector<File>{{path}} : std::vector<File>{};
    if (isFile(path / "transforms.json")) return {{path / "transforms.json"}};
    if (!isFile(path / "transforms_train.json")) return {};
    std::vector<File> files{{path / "transforms_train.json"}};
    for (const char* name : {"transforms_test.json", "transforms_val.json"}) {
        if (!isFile(path / name)) continue;
        files.push_back({path / name, true});
        break;
    }
    return files;
}

/// Path of a frame's image, with forward slashes (instant-ngp's scripts write backslashes on Windows). With another image folder, only that
/// folder is searched, so the path is not checked against the bounds.
fs::path filePath(const JsonProperties& frame, const fs::path& folder, const DatasetOptions& options) {
    const auto text = frame.text("file_path");
    if (!text || text->empty()) throw InputError("{}: file_path is missing, expected the path of an image", frame.prefix());
    const PathBounds bounds{.dataset = folder, .images = {}, .allowOutside = options.allowOutside || !options.images.empty()};
    fs::path path = checkedPath(fmt::format("{}: file_path", frame.prefix()), *text, folder, bounds);
    if (nameBelow(folder, path).empty())
        throw InputError("{}: file_path is '{}', expected the path of an image", frame.prefix(), escapedName(*text));
    return path;
}

/// In another image folder, files are searched by their whole path, then without its first folder (usually "images").
fs::path locate(const fs::path& folder, const fs::path& file, const DatasetOptions& options) {
    if (options.images.empty()) return findImage((folder / file).lexically_normal());
    const fs::path other = otherImageFolder(folder, options.images);
    const fs::path whole = safeName(file);
    const fs::path found = findImage(other / whole);
    const bool nested = whole.has_parent_path();
    return isFile(found) || !nested ? found : findImage(other / whole.lexically_relative(*whole.begin()));
}

/// The 3x4 part of the camera-to-world matrix, as columns: three axes and the position.
glm::dmat4x3 transformMatrix(const JsonProperties& frame) {
    const json* rows = frame.find("transform_matrix");
    const auto fail = [&](const json& found) {
        throw InputError("{}: transform_matrix is {}, expected 3 or 4 rows of 4 finite numbers of at most {}", frame.prefix(),
                         jsonExcerpt(found), kMaxCoordinate);
    };
    if (!rows) throw InputError("{}: transform_matrix is missing, expected 4 rows of 4 numbers", frame.prefix());
    if (!rows->is_array() || rows->size() < 3 || rows->size() > 4) fail(*rows);
    glm::dmat4x3 matrix(0);
    for (int r = 0; r < 3; ++r) {
        const json& row = (*rows)[static_cast<size_t>(r)];
        if (!row.is_array() || row.size() != 4) fail(row);
        for (int c = 0; c < 4; ++c) {
            const json& value = row[static_cast<size_t>(c)];
            if (!value.is_number() || !(std::abs(value.get<double>()) <= kMaxCoordinate)) fail(value);
            matrix[c][r] = value.get<double>();
        }
    }
    return matrix;
}

/// The rotation nearest to a matrix that is one except for rounding and a uniform scale.
glm::dmat3 nearestRotation(const glm::dmat3& matrix, const std::string& prefix) {
    const double determinant = glm::determinant(matrix);
    if (!(determinant > 0)) {
        throw InputError("{}: transform_matrix has a determinant of {}, expected a rotation", prefix, determinant);
    }
    glm::dmat3 rotation = matrix / std::cbrt(determinant);
    for (int i = 0; i < 3; ++i) {
        const double skew = std::abs(glm::dot(rotation[i], rotation[(i + 1) % 3]));
        if (skew > 0.01 || std::abs(glm::length(rotation[i]) - 1) > 0.01) {
            throw InputError("{}: transform_matrix has non-uniform scale or shear, expected a rotation", prefix);
        }
    }
    // Newton's iteration for the polar decomposition: four steps from within 1 % reach double precision.
    for (int i = 0; i < 4; ++i) rotation = 0.5 * (rotation + glm::inverse(glm::transpose(rotation)));
    return rotation;
}

/// Converts OpenGL's camera-to-world (y up, z back) to COLMAP's world-to-camera (y down, z forward), in the same world space.
void setPose(Camera& camera, const JsonProperties& frame) {
    const glm::dmat4x3 cameraToWorld = transformMatrix(frame);
    const glm::dmat3 axes = nearestRotation(glm::dmat3(cameraToWorld), frame.prefix());
    camera.rotation = glm::transpose(glm::dmat3(axes[0], -axes[1], -axes[2]));
    camera.translation = -(camera.rotation * cameraToWorld[3]);
}

View makeView(const JsonProperties& frame, const fs::path& folder, const DatasetOptions& options) {
    const fs::path file = filePath(frame, folder, options);
    View view;
    constexpr std::string_view kImages = "images/";
    view.file = nameBelow(folder, file);
    if (view.file.starts_with(kImages)) view.file.erase(0, kImages.size());  // the name is relative to the image folder
    view.image = locate(folder, file, options);
    const Intrinsics intrinsics = frameIntrinsics(frame, view.image);
    view.camera = intrinsics.camera;
    view.distortion = intrinsics.distortion;
    setPose(view.camera, frame);
    return view;
}

/// Path from `ply_file_path`; empty if there is none.
fs::path pointsFile(const fs::path& path, const json& root, const DatasetOptions& options) {
    const JsonProperties properties(path.string(), root, root);
    const auto name = properties.text("ply_file_path");
    if (!name) return {};
    const fs::path folder = path.parent_path();
    return folder / checkedPath(fmt::format("{}: ply_file_path", path.string()), *name, folder,
                                {.dataset = folder, .images = {}, .allowOutside = options.allowOutside});
}

bool recognises(const fs::path& path) { return !findFiles(path).empty(); }

Dataset load(const fs::path& path, const DatasetOptions& options) {
    Dataset dataset;
    const std::vector<File> files = findFiles(path);
    for (const File& file : files) {
        const std::string name = file.path.string();
        const json root = readJson(file.path);
        if (!root.is_object()) throw InputError("{}: contains {}, expected an object with frames", name, jsonExcerpt(root));
        const auto frames = root.find("frames");
        if (frames == root.end() || !frames->is_array()) throw InputError("{}: frames is missing, expected a list of views", name);
        for (size_t i = 0; i < frames->size(); ++i) {
            const json& frame = (*frames)[i];
            if (!frame.is_object()) throw InputError("{}: frame {} is {}, expected an object", name, i, jsonExcerpt(frame));
            const auto image = frame.find("file_path");
            const std::string shown = image == frame.end() ? "no file_path" : jsonExcerpt(*image);
            const JsonProperties properties(fmt::format("{}: frame {} ({})", name, i, shown), frame, root);
            dataset.views.push_back(makeView(properties, file.path.parent_path(), options));
        }
        if (files.size() > 1) dataset.ownUses.resize(dataset.views.size(), file.isTest ? kTestUse : kTrainUse);
        if (files.size() == 1) dataset.ownUses = namedUses(file.path, root);
        const fs::path points = pointsFile(file.path, root, options);
        if (!points.empty() && dataset.points.empty()) dataset.points = readPointsPly(points);
    }
    return dataset;
}

}  // namespace

extern const DatasetFormat kTransformsDataset{
    .name = "transforms",
    .looksLike = "transforms.json, or transforms_train.json and transforms_test.json",
    .recognises = recognises,
    .load = load,
};

}  // namespace splat
