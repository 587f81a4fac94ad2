#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scene/dataset.h"

namespace splat {

/// A camera model of COLMAP. Parameters come as focal lengths (one or two), the principal point, then k1, k2, p1, p2 as far as it has them.
struct CameraModel {
    int id;
    std::string_view name;
    size_t focals = 0;  ///< 0: a model that we know by name only
    size_t distortions = 0;

    bool supported() const { return focals > 0; }
    size_t parameters() const { return focals + 2 + distortions; }
};

/// Null for one that COLMAP does not have, as far as we know.
const CameraModel* findCameraModel(int id);
const CameraModel* findCameraModel(std::string_view name);

/// "SIMPLE_PINHOLE, PINHOLE, ...", for messages.
std::string supportedCameraModels();

/// How photographs were taken, without where.
struct Intrinsics {
    Camera camera;
    Distortion distortion;
};

/// Throws InputError, starting with the prefix, unless every number is in its range (scene/camera_limits.h).
Intrinsics makeIntrinsics(const std::string& prefix, const CameraModel& model, uint64_t width, uint64_t height,
                          std::span<const double> parameters);

}  // namespace splat
