#pragma once

namespace splat::app {

/// Colours and distances of the panels; scale: pixels a point.
void applyStyle(float scale);

}  // namespace splat::app
