#include <splatwright/explain/tile_list.h>

#include "kernels/gather_list.h"

namespace splat::explain {

TileList readTile(gpu::Device& device, const FrameBuffers& frame, glm::uvec2 size, glm::uvec2 pixel) {
    TileList list{.size = size, .pixel = pixel, .splats = {}};
    const auto range = downloadOne<glm::uvec2>(device, frame.tileRanges, list.index());
    if (range.x >= range.y) return list;
    const uint32_t count = range.y - range.x;
    list.begin = range.x;
    list.reached = downloadOne<uint32_t>(device, frame.tileLast, list.index());
    const gpu::Buffer splats = device.buffer<ListedSplat>("list of a tile", count);
    device.run("read tile", [&](gpu::Commands& c) {
        c.dispatch(kernels::gather_list{.gaussianFromInstance = Forward::gaussianFromInstance(frame),
                                        .projected = frame.projected,
                                        .list = splats,
                                        .begin = range.x,
                                        .count = count},
                   count);
    });
    list.splats = device.download<ListedSplat>(splats, count);
    return list;
}

}  // namespace splat::explain
