#pragma once

#include "scene/camera.h"
#include "shared/structs.h"

namespace splat {

inline constexpr uint32_t kTileSize = 16;  // pixels; shaders/lib/constants.slang

/// The camera as kernels want it.
shared::ViewParameters viewParameters(const Camera& camera);

struct TileGrid {
    uint32_t across = 0;
    uint32_t down = 0;
    uint32_t count() const { return across * down; }
};
TileGrid tileGrid(uint32_t width, uint32_t height);

}  // namespace splat
