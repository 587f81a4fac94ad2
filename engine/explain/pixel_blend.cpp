#include <splatwright/explain/pixel_blend.h>

#include <algorithm>

#include "kernels/trace_pixel.h"

namespace splat::explain {

PixelBlend tracePixel(gpu::Device& device, const FrameBuffers& f, const TileList& tile, bool summed) {
    const auto count = static_cast<uint32_t>(tile.splats.size());
    const gpu::Buffer steps = device.buffer<shared::BlendStep>("steps of the pixel", std::max(count, 1u));
    const gpu::Buffer result = device.buffer<glm::vec4>("result of the pixel", 1);
    device.run("trace pixel", [&](gpu::Commands& c) {
        c.dispatchGroups(kernels::trace_pixel{.frame = f.parameters,
                                              .tileRanges = f.tileRanges,
                                              .gaussianFromInstance = Forward::gaussianFromInstance(f),
                                              .projected = f.projected,
                                              .steps = steps,
                                              .result = result,
                                              .coordinates = tile.pixel,
                                              .tile = tile.index(),
                                              .capacity = count,
                                              .kSummed = summed ? 1u : 0u},
                         1);
    });
    const auto traced = downloadOne<glm::vec4>(device, result, 0);
    return {.steps = device.download<shared::BlendStep>(steps, count),
            .colour = glm::vec3(traced),
            .transmittance = traced.w,
            .drawn = downloadOne<glm::vec3>(device, f.colours, tile.pixelIndex()),
            .drawnTransmittance = downloadOne<float>(device, f.transmittances, tile.pixelIndex())};
}

}  // namespace splat::explain
