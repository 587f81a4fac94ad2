#pragma once

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/shared/dispatch.h>
#include <splatwright/shared/frame.h>

namespace splat {

using shared::kTileSize;  // pixels

/// The camera as kernels want it.
shared::ViewParameters viewParameters(const Camera& camera);

struct TileGrid {
    uint32_t across = 0;
    uint32_t down = 0;
    uint32_t count() const { return across * down; }
};
TileGrid tileGrid(uint32_t width, uint32_t height);

}  // namespace splat
