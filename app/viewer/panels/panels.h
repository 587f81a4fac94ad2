#pragma once

#include <span>

namespace splat::app {

class Viewer;
struct Layout;

/// Which edge of the screen a panel stands at.
enum class Side { left, right };

/// A part of the panels: a row here is what is drawn, in this order.
struct Panel {
    const char* title;
    Side side;
    bool open;                      ///< at first
    bool (*useful)(const Viewer&);  ///< whether there is anything to show
    void (*draw)(Viewer&);
};

std::span<const Panel> panelTable();

void drawModelsPanel(Viewer& viewer);
void drawPicturePanel(Viewer& viewer);
void drawCameraPanel(Viewer& viewer);
void drawEditPanel(Viewer& viewer);
void drawTrainingPanel(Viewer& viewer);
void drawViewsPanel(Viewer& viewer);
void drawGpuPanel(Viewer& viewer);
void drawProbePanel(Viewer& viewer);
/// What there is to do, while nothing is open; in the part of the screen that is left.
void drawWelcome(Viewer& viewer, const Layout& layout);

}  // namespace splat::app
