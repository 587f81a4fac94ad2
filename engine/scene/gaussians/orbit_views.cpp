#include <splatwright/scene/gaussians/orbit_views.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <splatwright/core/error.h>
#include <splatwright/scene/cameras/look_at.h>

namespace splat {

namespace {

constexpr double kFieldOfView = 50;  // degrees, along the shorter side
constexpr double kElevation = 20;    // degrees above the centre
constexpr double kDistance = 2.8;    // radii of the extent: a ball fills the picture

}  // namespace

std::vector<NamedView> orbitViews(const Extent& extent, size_t views, ImageSize size, const glm::dvec3& up) {
    SPLAT_CHECK(glm::length(up) > 0, "{},{},{}", up.x, up.y, up.z);
    const glm::dvec3 upward = glm::normalize(up);
    const glm::dvec3 notParallel = std::abs(upward.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 0, 1);
    const glm::dvec3 side = glm::normalize(glm::cross(upward, notParallel));
    const glm::dvec3 front = glm::cross(side, upward);
    const double elevation = glm::radians(kElevation);
    const double focal = std::min(size.width, size.height) * 0.5 / std::tan(glm::radians(kFieldOfView) / 2);
    std::vector<NamedView> orbit;
    for (size_t i = 0; i < views; ++i) {
        const double azimuth = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(views);
        const glm::dvec3 direction =
            std::cos(elevation) * (std::cos(azimuth) * side + std::sin(azimuth) * front) + std::sin(elevation) * upward;
        const glm::dvec3 eye = extent.centre + kDistance * extent.radius * direction;
        orbit.push_back({fmt::format("orbit_{:04}", i), lookAt(eye, extent.centre, upward, focal, size.width, size.height)});
    }
    return orbit;
}

}  // namespace splat
