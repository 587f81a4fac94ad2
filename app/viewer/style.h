#pragma once

namespace splat::app {

/// Colours and distances of the panels; scale: pixels a point.
void applyStyle(float scale);

/// Points in pixels, by the scale that was applied last: every length that is not a part of the screen or of the font is one.
float points(float number);

}  // namespace splat::app
