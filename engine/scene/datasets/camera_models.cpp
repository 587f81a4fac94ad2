#include <splatwright/scene/datasets/camera_models.h>

#include <algorithm>
#include <array>

#include <splatwright/core/error.h>
#include <splatwright/scene/camera_limits.h>

namespace splat {
namespace {

constexpr std::array kModels{
    CameraModel{.id = 0, .name = "SIMPLE_PINHOLE", .focals = 1, .distortions = 0},
    CameraModel{.id = 1, .name = "PINHOLE", .focals = 2, .distortions = 0},
    CameraModel{.id = 2, .name = "SIMPLE_RADIAL", .focals = 1, .distortions = 1},
    CameraModel{.id = 3, .name = "RADIAL", .focals = 1, .distortions = 2},
    CameraModel{.id = 4, .name = "OPENCV", .focals = 2, .distortions = 4},
    CameraModel{.id = 5, .name = "OPENCV_FISHEYE"},
    CameraModel{.id = 6, .name = "FULL_OPENCV"},
    CameraModel{.id = 7, .name = "FOV"},
    CameraModel{.id = 8, .name = "SIMPLE_RADIAL_FISHEYE"},
    CameraModel{.id = 9, .name = "RADIAL_FISHEYE"},
    CameraModel{.id = 10, .name = "THIN_PRISM_FISHEYE"},
    CameraModel{.id = 11, .name = "RAD_TAN_THIN_PRISM_FISHEYE"},
};

template <class Projection, class Key>
const CameraModel* find(Projection projection, const Key& key) {
    const auto found = std::ranges::find(kModels, key, projection);
    return found == kModels.end() ? nullptr : &*found;
}

/// Checks the size before it is narrowed to int.
void checkSize(const std::string& prefix, uint64_t width, uint64_t height) {
    if (width >= 1 && height >= 1 && width <= uint64_t{kMaxSide} && height <= uint64_t{kMaxSide}) return;
    throw InputError("{}: width and height are {} and {}, expected 1 to {}", prefix, width, height, kMaxSide);
}

}  // namespace

const CameraModel* findCameraModel(int id) { return find(&CameraModel::id, id); }
const CameraModel* findCameraModel(std::string_view name) { return find(&CameraModel::name, name); }

std::string supportedCameraModels() {
    std::string names;
    for (const CameraModel& model : kModels) {
        if (model.supported()) names.append(names.empty() ? "" : ", ").append(model.name);
    }
    return names;
}

Intrinsics makeIntrinsics(const std::string& prefix, const CameraModel& model, uint64_t width, uint64_t height,
                          std::span<const double> parameters) {
    SPLAT_CHECK(model.supported() && parameters.size() == model.parameters(), "{} with {} parameters", model.name, parameters.size());
    checkSize(prefix, width, height);
    Intrinsics intrinsics;
    Camera& camera = intrinsics.camera;
    camera.width = static_cast<int>(width);
    camera.height = static_cast<int>(height);
    camera.fx = parameters[0];
    camera.fy = parameters[model.focals - 1];
    camera.cx = parameters[model.focals];
    camera.cy = parameters[model.focals + 1];
    Distortion& d = intrinsics.distortion;
    const std::array targets{&d.k1, &d.k2, &d.p1, &d.p2};
    for (size_t i = 0; i < model.distortions; ++i) *targets[i] = parameters[model.focals + 2 + i];
    checkLens(prefix, camera, d);
    return intrinsics;
}

}  // namespace splat
