#pragma once

#include <optional>

#include "core/image.h"
#include "scene/dataset.h"

namespace splat {

/// Where the lens puts a point of the plane z = 1 (COLMAP's OPENCV model).
glm::dvec2 distort(const Distortion& distortion, glm::dvec2 point);

/// The point of the plane z = 1 that the lens puts there; nothing where the model folds back and has no answer.
std::optional<glm::dvec2> undistort(const Distortion& distortion, glm::dvec2 point);

/// The pinhole camera of the undistorted image as COLMAP's image_undistorter chooses it with blank_pixels 0: the focal lengths stay, the
/// size changes so that no pixel lacks a source, and the principal point keeps its relative place. Pose as given.
/// Throws InputError when the distortion cannot be inverted on the image's border.
Camera undistortedCamera(const Camera& camera, const Distortion& distortion);

/// The four pixels whose centres surround a place, and how far it is from the first towards the others, 0..1.
struct Surroundings {
    int x0, y0, x1, y1;
    float x, y;

    /// The weighted mean of values at (x0, y0), (x1, y0), (x0, y1) and (x1, y1).
    float mean(float a, float b, float c, float d) const {
        const float top = a + x * (b - a), bottom = c + x * (d - c);
        return top + y * (bottom - top);
    }
};

/// Of a place in pixels, centres at +0.5; the border's pixels go on outside, and a place that is not a number counts as the first corner.
Surroundings surroundingsOf(glm::dvec2 place, int width, int height);

/// Where the lens put, in the camera's image, what the target camera sees in the middle of its pixel (x, y).
glm::dvec2 sourceOf(const Camera& camera, const Distortion& distortion, const Camera& target, int x, int y);

/// The picture that the target camera would have taken: bilinear samples between pixel centres at +0.5.
ImageF undistortImage(const ImageF& image, const Camera& camera, const Distortion& distortion, const Camera& target);

}  // namespace splat
