#pragma once

#include <vector>

#include <splatwright/render/forward.h>
#include <splatwright/shared/explain.h>

namespace splat::explain {

using shared::ListedSplat;

/// The list of a pixel's tile in a frame that has been drawn.
struct TileList {
    glm::uvec2 size{0};               ///< of the picture
    glm::uvec2 pixel{0};              ///< that was asked for
    uint32_t begin = 0;               ///< the tile's first instance after the sort
    uint32_t reached = 0;             ///< splats of the list up to the last one that some pixel of the tile blends
    std::vector<ListedSplat> splats;  ///< front to back

    glm::uvec2 tile() const { return pixel / kTileSize; }
    uint32_t index() const { return tile().y * tileGrid(size.x, size.y).across + tile().x; }
    uint32_t pixelIndex() const { return pixel.y * size.x + pixel.x; }
};

/// Reads back the list of one tile; waits. The frame's last picture has this size, and the pixel is in it.
TileList readTile(gpu::Device& device, const FrameBuffers& frame, glm::uvec2 size, glm::uvec2 pixel);

/// The element of a buffer at an index; waits.
template <class T>
T downloadOne(gpu::Device& device, const gpu::Buffer& buffer, uint32_t index) {
    return device.download<T>(buffer.slice(uint64_t{index} * sizeof(T), sizeof(T)), 1)[0];
}

}  // namespace splat::explain
