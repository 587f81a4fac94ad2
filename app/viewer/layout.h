#pragma once

#include <glm/glm.hpp>

namespace splat::app {

class Viewer;

/// The rectangle that menus and panels leave to the world, pixels of the screen.
struct Layout {
    glm::ivec2 low{0};
    glm::ivec2 high{0};
};

/// Draws the menu, the panels at both sides, the status bar and what lies over everything.
Layout drawLayout(Viewer& viewer);

/// Whether the status bar has room for the last notice. Between Ui::begin() and end().
bool fitsStatus(Viewer& viewer);

}  // namespace splat::app
