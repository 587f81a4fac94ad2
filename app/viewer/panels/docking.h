#pragma once

#include "viewer/viewer/viewer.h"

namespace splat::app {

/// Draws the open panels between two heights of the screen, docked at the sides or floating. Returns what they leave: the central node of the dock space.
Layout drawPanels(Viewer& viewer, float top, float bottom);

/// While panels are hidden: they keep their places.
void keepPanels();

}  // namespace splat::app
