#pragma once

#include <splatwright/explain/tile_list.h>

namespace splat::explain {

/// How a pixel came about.
struct PixelBlend {
    std::vector<shared::BlendStep> steps;  ///< per splat of the tile's list
    glm::vec3 colour{0};                   ///< that the steps end with, over the background
    float transmittance = 1;
    glm::vec3 drawn{0};  ///< that the picture has
    float drawnTransmittance = 1;
};

/// Blends the list's pixel again, by the functions that drew the frame, and writes down each step. `summed`: as of ModelKind.
PixelBlend tracePixel(gpu::Device& device, const FrameBuffers& frame, const TileList& tile, bool summed = false);

}  // namespace splat::explain
