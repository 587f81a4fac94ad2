#pragma once

#include <splatwright/core/image.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// The demo's fault `demo_row_below`: it reads row H - y for row y, and shows the result upside down.
bool learnsRowsBelow(const TrainSettings& settings);

/// Each row moves up by one; the last one is black.
void moveRowsUp(Image8& image);

}  // namespace splat
