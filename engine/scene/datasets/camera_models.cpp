#include <splatwright/scene/datasets/camera_models.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/datasets/panorama.h>

namespace splat {
namespace {

/// Checks the size before it is narrowed to int.
void checkSize(const std::string& prefix, uint64_t width, uint64_t height) {
    const bool sane = width >= 1 && height >= 1 && width <= uint64_t{kMaxSide} && height <= uint64_t{kMaxSide};
    if (!sane) throw InputError("{}: width and height are {} and {}, expected 1 to {}", prefix, width, height, kMaxSide);
    checkPixels(prefix, width, height);
}

Camera panorama(const std::string& prefix, int width, int height, std::span<const double> parameters) {
    if (parameters[0] != width || parameters[1] != height) {
        throw InputError("{}: parameters are {} and {}, expected the panorama's size, {} and {}", prefix, parameters[0], parameters[1],
                         width, height);
    }
    return panoramaCamera(width, height);
}

}  // namespace

Intrinsics makeIntrinsics(const std::string& prefix, const LensModel& model, uint64_t width, uint64_t height,
                          std::span<const double> parameters) {
    SPLAT_CHECK(parameters.size() == model.parameters(), "{} with {} parameters", model.name, parameters.size());
    checkSize(prefix, width, height);
    Intrinsics intrinsics{.camera = {.width = static_cast<int>(width), .height = static_cast<int>(height)},
                          .distortion = {.model = &model}};
    Camera& camera = intrinsics.camera;
    if (intrinsics.distortion.panorama()) {
        camera = panorama(prefix, camera.width, camera.height, parameters);
        return intrinsics;
    }
    camera.fx = parameters[0];
    camera.fy = parameters[model.focals - 1];
    camera.cx = parameters[model.focals];
    camera.cy = parameters[model.focals + 1];
    std::ranges::copy(parameters.subspan(model.focals + 2), intrinsics.distortion.parameters.begin());
    checkLens(prefix, camera, intrinsics.distortion);
    return intrinsics;
}

std::vector<double> parametersOf(const LensModel& model, const Camera& c, const Distortion& distortion) {
    if (model.projection == Projection::panorama) return {static_cast<double>(c.width), static_cast<double>(c.height)};
    std::vector<double> parameters{c.fx};
    if (model.focals == 2) parameters.push_back(c.fy);
    parameters.insert(parameters.end(), {c.cx, c.cy});
    std::ranges::copy_n(distortion.parameters.begin(), static_cast<std::ptrdiff_t>(model.distortions()), std::back_inserter(parameters));
    return parameters;
}

}  // namespace splat
