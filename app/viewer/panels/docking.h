#pragma once

#include "viewer/viewer/viewer.h"

namespace splat::app {

/// Draws the open panels between two heights of the screen, docked at the sides or floating. Returns what they leave: the central node of the dock space.
/// Frames that do not call it hide the panels, which keep their places.
Layout drawPanels(Viewer& viewer, float top, float bottom);

}  // namespace splat::app
