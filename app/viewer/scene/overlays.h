#pragma once

#include <splatwright/scene/cameras/camera.h>
#include "viewer/scene/workspace.h"

namespace splat::app {

/// Draws lines over the camera's picture, which is between low and high on the screen: the dataset's cameras, the camera path and the selection
/// shape.
void drawOverlays(const Workspace& work, const Camera& camera, glm::ivec2 low, glm::ivec2 high);

}  // namespace splat::app
