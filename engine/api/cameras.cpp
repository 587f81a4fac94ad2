#include <fmt/format.h>

#include <splatwright/api/convert.h>
#include <splatwright/api/translate.h>
#include <splatwright/core/error.h>
#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/cameras/look_at.h>
#include <splatwright/scene/gaussians/orbit_views.h>

namespace splatwright {

namespace {

constexpr size_t kMostViews = 1'000'000;  // of an orbit; more are a mistake

/// Directions shorter than this have no direction that is left in double precision.
constexpr double kShortest = 1e-9;

/// Returns the vector with length 1.
glm::dvec3 direction(const glm::dvec3& v, const char* where) {
    const double length = glm::length(v);
    if (!(length > kShortest) || !splat::withinCoordinates(v))
        throw splat::InputError("{}: found {}, {}, {}, expected finite numbers that are not all 0", where, v.x, v.y, v.z);
    return v / length;
}

}  // namespace

Vec3d positionOf(const Camera& camera) {
    return translated([&] { return publicVector(engineCamera(camera, "camera").position()); });
}

Camera lookAt(const Vec3d& eye, const Vec3d& target, const Vec3d& up, double focal, int width, int height) {
    return translated([&] {
        const glm::dvec3 forward = direction(engineVector(target) - engineVector(eye), "lookAt: target - eye");
        const glm::dvec3 upward = direction(engineVector(up), "lookAt: up");
        if (!(glm::length(glm::cross(forward, upward)) > kShortest))
            throw splat::InputError("lookAt: `up` is along the line of sight, expected another direction");
        const Camera camera = publicCamera(splat::lookAt(engineVector(eye), engineVector(target), upward, focal, width, height));
        engineCamera(camera, "lookAt");
        return camera;
    });
}

Camera resized(const Camera& camera, int width, int height) {
    return translated([&] {
        const Camera result = publicCamera(splat::resized(engineCamera(camera, "camera"), width, height));
        engineCamera(result, "resized");
        return result;
    });
}

std::vector<Camera> orbit(const Splats& splats, size_t views, int width, int height, const Vec3d& up) {
    return translated([&] {
        if (views < 1 || views > kMostViews) throw splat::InputError("orbit: found {} views, expected 1 to {}", views, kMostViews);
        const glm::dvec3 upward = direction(engineVector(up), "orbit: up");
        std::vector<Camera> cameras;
        for (const splat::NamedView& view : splat::orbitViews(splat::extentOf(engineSplats(splats)), views, {width, height}, upward))
            cameras.push_back(publicCamera(view.camera));
        engineCamera(cameras.front(), "orbit");
        return cameras;
    });
}

std::vector<NamedCamera> readCameras(const std::filesystem::path& path) {
    return translated([&] {
        std::vector<NamedCamera> cameras;
        for (const splat::NamedView& view : splat::readCameraFile(path)) cameras.push_back({view.name, publicCamera(view.camera)});
        return cameras;
    });
}

void writeCameras(const std::filesystem::path& path, const std::vector<NamedCamera>& cameras) {
    translated([&] {
        std::vector<splat::NamedView> views;
        for (const NamedCamera& named : cameras)
            views.push_back({named.name, engineCamera(named.camera, fmt::format("camera '{}'", named.name))});
        splat::writeCameraFile(path, views);
    });
}

}  // namespace splatwright
