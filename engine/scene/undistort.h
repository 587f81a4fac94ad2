#pragma once

#include <optional>

#include <splatwright/core/image.h>
#include <splatwright/scene/dataset.h>

namespace splat {

/// Distorts a point of the plane z = 1 (COLMAP's OPENCV model).
glm::dvec2 distort(const Distortion& distortion, glm::dvec2 point);

/// Inverse of distort(); nothing where the model is not invertible.
std::optional<glm::dvec2> undistort(const Distortion& distortion, glm::dvec2 point);

/// The pinhole camera of the undistorted image, as chosen by COLMAP's image_undistorter with blank_pixels 0: same focal lengths and pose, a size for
/// which every pixel has a source, and the same relative principal point. Throws InputError if the distortion is not invertible on the image's
/// border.
Camera undistortedCamera(const Camera& camera, const Distortion& distortion);

/// The four pixels around a position, and the interpolation weights from the first towards the others, 0..1.
struct Surroundings {
    int x0, y0, x1, y1;
    float x, y;

    /// The weighted mean of values at (x0, y0), (x1, y0), (x0, y1) and (x1, y1).
    float mean(float a, float b, float c, float d) const {
        const float top = a + x * (b - a), bottom = c + x * (d - c);
        return top + y * (bottom - top);
    }
};

/// Neighbours of a position in pixels (centres at +0.5). Positions outside are clamped to the border, NaN to the first corner.
Surroundings surroundingsOf(glm::dvec2 place, int width, int height);

/// Position in the distorted camera's image of the centre of the target camera's pixel (x, y).
glm::dvec2 sourceOf(const Camera& camera, const Distortion& distortion, const Camera& target, int x, int y);

/// Resamples the image for the target camera, with bilinear interpolation between pixel centres at +0.5.
ImageF undistortImage(const ImageF& image, const Camera& camera, const Distortion& distortion, const Camera& target);

}  // namespace splat
