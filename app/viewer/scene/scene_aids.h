#pragma once

#include "viewer/scene/navigator.h"

namespace splat::app {

class Lines;

/// What helps to find one's way in the scene.
struct SceneAids {
    bool grid = false;
    bool axes = false;
    bool cube = false;  ///< orientation cube
};

/// Side of the grid's squares, world units: the power of ten below the distance that is looked at.
double gridStep(double distance);

/// Draws a grid through the world's origin, perpendicular to its up direction, around what is looked at.
void drawGrid(const Lines& lines, const Navigator& navigator);
/// Draws the world's axes from the origin, as long as a square of the grid.
void drawAxes(const Lines& lines, const Navigator& navigator);

}  // namespace splat::app
