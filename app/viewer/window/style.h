#pragma once

namespace splat::app {

/// Colours, spacing and font size of the panels. scale: pixels per point. Call it between frames.
void applyStyle(float scale);

/// Converts points to pixels by the last applied scale; for all lengths not relative to the screen or the font.
float points(float number);

}  // namespace splat::app
