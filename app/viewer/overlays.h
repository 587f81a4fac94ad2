#pragma once

#include "scene/camera.h"
#include "viewer/workspace.h"

namespace splat::app {

/// Lines over a picture that was drawn with the camera and lies between low and high on the screen: the dataset's cameras, the path, the shape
/// that is being drawn, and the gizmo.
void drawOverlays(const Workspace& work, const Camera& camera, glm::ivec2 low, glm::ivec2 high, bool gizmo);

}  // namespace splat::app
