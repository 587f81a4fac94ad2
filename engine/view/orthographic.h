#pragma once

#include <splatwright/scene/cameras/camera.h>

namespace splat {

/// Orthographic pictures have the scale that a perspective camera has at a distance from it (WorldView::orthographic).

/// A perspective camera that sees what the orthographic picture of this camera and distance shows, to a hundredth of a pixel for points within a few
/// distances of what is in the middle: it is thousands of distances away. For tools that know perspective only; depths are not those of the picture.
Camera telephoto(const Camera& camera, double distance);

}  // namespace splat
