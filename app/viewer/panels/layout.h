#pragma once

#include "viewer/viewer/viewer.h"

namespace splat::app {

/// Draws the menu, the panels on both sides, the status bar and dialogs.
Layout drawLayout(Viewer& viewer);

/// Whether the last notice fits into the status bar. Call between Ui::begin() and end().
bool fitsStatus(Viewer& viewer);

}  // namespace splat::app
