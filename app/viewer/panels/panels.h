#pragma once

#include <initializer_list>
#include <span>
#include <string>

namespace splat::app {

class Viewer;
struct Layout;

/// Where the default layout docks a panel. Panels of the same place are tabs, in the order of the table.
enum class Side { left, leftBelow, right, rightBelow, below };

/// A panel: one file defines its row, and the table lists the row's name. It is a window of this title.
struct Panel {
    const char* title;
    Side side;
    bool open;                      ///< initially
    bool (*useful)(const Viewer&);  ///< whether there is anything to show
    void (*draw)(Viewer&);
};

/// The panels, each defined in a file of its own.
std::span<const Panel* const> panelTable();

/// Whether a model or a dataset is open; without one no panel has contents, and the welcome text is shown alone.
bool withAnything(const Viewer& viewer);

/// A button that performs an action of the viewer.
struct ActionButton {
    const char* label;
    const char* action;
};

/// Goes on in the line of the last item if there is room for one of this width, in pixels.
void continueLine(float width);
float buttonWidth(const char* label);

/// A row of a table of two columns.
void drawRow(const char* name, const std::string& value);

/// Draws buttons side by side, in as many lines as the panel's width needs; width in pixels, 0: as their labels need.
void drawActions(Viewer& viewer, std::initializer_list<ActionButton> buttons, float width = 0);

/// Draws instructions in the free part of the screen while nothing is open.
void drawWelcome(Viewer& viewer, const Layout& layout);

}  // namespace splat::app
