#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <splatwright/scene/cameras/camera.h>

namespace splat::app {

/// Projects a point to pixels of the picture; nothing behind the camera.
std::optional<glm::dvec2> onPicture(const Camera& camera, const glm::dvec3& point);

/// The part of a line that is in front of the camera, from end to end; nothing if there is none.
std::optional<std::pair<glm::dvec2, glm::dvec2>> segmentOnPicture(const Camera& camera, const glm::dvec3& from, const glm::dvec3& to);

/// A camera's frustum up to a depth, projected into the picture of another camera.
struct Frustum {
    size_t view;      ///< index of the camera
    double distance;  ///< of the far plane's centre from the viewer's camera, world units
    glm::dvec2 tip;
    std::array<glm::dvec2, 4> corners;  ///< of the far plane, clockwise from the image's top left
};

/// Depth of drawn frusta, relative to the distance of the viewer's camera from its target.
inline constexpr double kFrustumDepth = 0.06;

/// Projects all frusta, farthest first, without those that reach behind the camera. depth: world units.
std::vector<Frustum> frustaOf(std::span<const Camera> cameras, const Camera& camera, double depth);

/// The view with the nearest far plane under a pixel.
std::optional<size_t> viewUnder(const std::vector<Frustum>& frusta, const glm::dvec2& pixel);

}  // namespace splat::app
