#pragma once

#include <glm/glm.hpp>

namespace splat {

/// A pinhole camera in COLMAP's convention: x right, y down, z forward; the centre of pixel (i, j) is (i + 0.5, j + 0.5).
/// A world point p is rotation * p + translation in the camera's frame. glm is column-major: rotation[c][r].
struct Camera {
    int width = 0;          ///< pixels
    int height = 0;         ///< pixels
    double fx = 0, fy = 0;  ///< focal lengths, pixels
    double cx = 0, cy = 0;  ///< principal point, pixels from the left and top edge of the image
    glm::dmat3 rotation{1};
    glm::dvec3 translation{0};

    /// Position of the camera in the world.
    glm::dvec3 position() const { return -glm::transpose(rotation) * translation; }

    bool operator==(const Camera&) const = default;
};

/// The same view at another size in pixels (focal lengths and principal point scale with each axis).
Camera resized(const Camera& camera, int width, int height);
/// The same view with sides that are shorter by a factor, rounded, at least one pixel.
Camera downscaled(const Camera& camera, int factor);

}  // namespace splat
