#pragma once

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/datasets/dataset.h>

namespace splat {

/// Replaces each view that is a panorama by the six faces of the cube around it, which see 90 degrees each: `NAME/front` and so on.
void divideIntoFaces(Dataset& dataset);

/// Pinhole camera of a face. A side has width / pi pixels, so that a pixel in its middle sees the angle that a pixel of the panorama sees on the
/// horizon; pixels towards its edges see less.
Camera faceCamera(const Camera& panorama, CubeFace face);

/// Camera of a panorama of this size that shows all directions: one unit of longitude or latitude is fx or fy pixels.
Camera panoramaCamera(int width, int height);

}  // namespace splat
