#pragma once

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/cameras/lens_models.h>
#include <span>
#include <string>
#include <vector>

namespace splat {

/// Intrinsics of a camera.
struct Intrinsics {
    Camera camera;
    Distortion distortion;
};

/// Throws InputError, starting with the prefix, unless every number is in range (scene/cameras/camera_limits.h) and a panorama's are those of its size.
Intrinsics makeIntrinsics(const std::string& prefix, const LensModel& model, uint64_t width, uint64_t height,
                          std::span<const double> parameters);

/// The inverse: the parameters of a camera in the order of COLMAP's files. `distortion` may be of a model with fewer parameters of the distortion; the
/// rest is 0.
std::vector<double> parametersOf(const LensModel& model, const Camera& camera, const Distortion& distortion);

}  // namespace splat
