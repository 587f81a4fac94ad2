#pragma once

#include <splatwright/explain/pixel_blend.h>
#include <splatwright/explain/sort_steps.h>

namespace splat::explain {

/// What a drawn frame tells about a pixel: its tile's list, both sorts of it, and the blend.
struct PixelLook {
    TileList tile;
    SortedPairs unsorted;
    RadixSteps radix;
    BitonicSteps bitonic;
    PixelBlend blend;
};

/// Reads a pixel of the frame's last picture, which has this size; waits. `summed`: as of ModelKind.
PixelLook lookAt(gpu::Device& device, const FrameBuffers& frame, glm::uvec2 size, glm::uvec2 pixel, bool summed = false);

}  // namespace splat::explain
