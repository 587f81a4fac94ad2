#pragma once

#include <optional>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/cameras/lens_models.h>

namespace splat {

/// A camera with its lens: rays of the camera's frame to positions in its image and back. A lens model is used where it is one-to-one: from the axis
/// outwards as far as its distortion does not fold back in any direction. What lies beyond is not seen.
class Lens {
public:
    Lens(const Camera& camera, const Distortion& distortion = {});  // NOLINT(google-explicit-constructor): a pinhole camera is a lens

    const Camera& camera() const { return camera_; }
    const Distortion& distortion() const { return distortion_; }

    /// Position in pixels, which may be outside the image. Rays have any length.
    std::optional<glm::dvec2> pixelOf(const glm::dvec3& ray) const;

    /// The unit ray through a position, in front of the camera or behind it: pixelOf() of it is the position within 1e-6 focal lengths.
    std::optional<glm::dvec3> rayOf(glm::dvec2 pixel) const;

private:
    glm::dvec2 distort(glm::dvec2 point) const;
    glm::dmat2 jacobian(glm::dvec2 point) const;
    double foldIn(glm::dvec2 direction, double most) const;
    std::optional<glm::dvec2> undistort(glm::dvec2 point) const;

    Camera camera_;
    Distortion distortion_;
    double size_;           ///< distance of the farthest corner from the principal point, focal lengths
    double reach_ = 1e300;  ///< largest distance from the axis at which the model is one-to-one, in its projection's coordinates
};

}  // namespace splat
