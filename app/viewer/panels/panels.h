#pragma once

#include <span>

namespace splat::app {

class Viewer;
struct Layout;

/// Side of the screen of a panel.
enum class Side { left, right };

/// A panel; they are drawn in the order of the table.
struct Panel {
    const char* title;
    Side side;
    bool open;                      ///< initially
    bool (*useful)(const Viewer&);  ///< whether there is anything to show
    void (*draw)(Viewer&);
};

std::span<const Panel> panelTable();

void drawModelsPanel(Viewer& viewer);
void drawPicturePanel(Viewer& viewer);
void drawCameraPanel(Viewer& viewer);
void drawEditPanel(Viewer& viewer);
void drawPreparationPanel(Viewer& viewer);
void drawTrainingPanel(Viewer& viewer);
void drawViewsPanel(Viewer& viewer);
void drawGpuPanel(Viewer& viewer);
void drawProbePanel(Viewer& viewer);
/// Draws instructions in the free part of the screen while nothing is open.
void drawWelcome(Viewer& viewer, const Layout& layout);

}  // namespace splat::app
