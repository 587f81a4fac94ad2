#pragma once

#include "gpu/commands.h"
#include "gpu/device.h"
#include "render/view.h"

namespace splat {

/// Pixels of a sub-tile, a thread each; shaders/lib/subtiles.slang.
constexpr uint32_t kSubtilePixels = 32;

/// Whether a sub-tile's threads can be one subgroup.
inline bool hasSubtileSubgroups(const gpu::Device& device) {
    return device.has(gpu::Feature::subgroupOperations) &&
           (device.canPinSubgroup(kSubtilePixels) || device.subgroupSize() == kSubtilePixels);
}

/// The subgroup size that kernels for such subgroups pin; 0 where the device has no other anyhow.
inline uint32_t pinnedSubtileSubgroup(const gpu::Device& device) { return device.canPinSubgroup(kSubtilePixels) ? kSubtilePixels : 0; }

/// Runs a kernel with one group a tile.
template <class Kernel>
void dispatchTiles(gpu::Commands& c, const Kernel& kernel, uint32_t width, uint32_t height) {
    const TileGrid grid = tileGrid(width, height);
    c.dispatch2D(kernel, grid.across * Kernel::info().groupSize[0], grid.down * Kernel::info().groupSize[1]);
}

}  // namespace splat
