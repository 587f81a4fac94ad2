#pragma once

namespace splat::app {

class Viewer;

/// Draws the menu bar. Returns its height, pixels.
float drawMenus(Viewer& viewer);

}  // namespace splat::app
