#pragma once

#include <span>
#include <string>
#include <string_view>

#include <splatwright/scene/dataset.h>

namespace splat {

/// A camera model of COLMAP. Parameters are one or two focal lengths, the principal point, then the first of k1, k2, p1, p2 that it has.
struct CameraModel {
    int id;
    std::string_view name;
    size_t focals = 0;  ///< number of focal lengths; 0: known by name, but not supported
    size_t distortions = 0;

    bool supported() const { return focals > 0; }
    size_t parameters() const { return focals + 2 + distortions; }
};

/// Null for a model that COLMAP does not have.
const CameraModel* findCameraModel(int id);
const CameraModel* findCameraModel(std::string_view name);

/// "SIMPLE_PINHOLE, PINHOLE, ...", for messages.
std::string supportedCameraModels();

/// Intrinsics of a camera.
struct Intrinsics {
    Camera camera;
    Distortion distortion;
};

/// Throws InputError, starting with the prefix, unless every number is in range (scene/camera_limits.h).
Intrinsics makeIntrinsics(const std::string& prefix, const CameraModel& model, uint64_t width, uint64_t height,
                          std::span<const double> parameters);

}  // namespace splat
