#pragma once

namespace splat::app {

/// Colours and spacing of the panels. scale: pixels per point.
void applyStyle(float scale);

/// Converts points to pixels by the last applied scale; for all lengths not relative to the screen or the font.
float points(float number);

}  // namespace splat::app
