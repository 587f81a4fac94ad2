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

/// The picture that the target camera would have taken: bilinear samples between pixel centres at +0.5.
ImageF undistortImage(const ImageF& image, const Camera& camera, const Distortion& distortion, const Camera& target);

}  // namespace splat
