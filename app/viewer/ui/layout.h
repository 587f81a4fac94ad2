#pragma once

#include <glm/glm.hpp>

namespace splat::app {

class Viewer;

/// The rectangle that menus and panels leave for the world, pixels of the screen.
struct Layout {
    glm::ivec2 low{0};
    glm::ivec2 high{0};
};

/// Draws the menu, the panels on both sides, the status bar and dialogs.
Layout drawLayout(Viewer& viewer);

/// Whether the last notice fits into the status bar. Call between Ui::begin() and end().
bool fitsStatus(Viewer& viewer);

}  // namespace splat::app
