#pragma once

#include "gpu/device.h"
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

}  // namespace splat
