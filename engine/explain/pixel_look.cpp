#include <splatwright/explain/pixel_look.h>

namespace splat::explain {

PixelLook lookAt(gpu::Device& device, const FrameBuffers& frame, glm::uvec2 size, glm::uvec2 pixel, bool summed) {
    PixelLook look{.tile = readTile(device, frame, size, pixel), .unsorted = {}, .radix = {}, .bitonic = {}, .blend = {}};
    look.unsorted = unsortedPairs(look.tile.splats);
    look.radix = traceRadixSort(device, look.unsorted, Forward::kDepthWindow.end);
    look.bitonic = traceBitonicSort(device, look.unsorted.keys);
    look.blend = tracePixel(device, frame, look.tile, summed);
    return look;
}

}  // namespace splat::explain
