#include <splatwright/primitives/float_cdf.h>

#include <algorithm>

#include <splatwright/primitives/scan_grid.h>
#include "kernels/cdf_float_tiles.h"
#include "kernels/cdf_float_totals.h"

namespace splat::primitives {

FloatCdfTable floatCdfTable(gpu::Device& device, const std::string& name, uint32_t capacity) {
    const uint32_t weights = std::max(capacity, 1u);  // Vulkan has no empty buffers
    return {.sums = device.buffer<float>(name + " sums", weights),
            .tileStarts = device.buffer<float>(name + " tile starts", (weights - 1) / shared::kCdfTile + 1)};
}

void recordFloatCdf(gpu::Commands& commands, const gpu::BufferSlice& weights, const FloatCdfTable& table, const Count& count) {
    const uint64_t capacity = table.sums.bytes() / sizeof(float);
    SPLAT_CHECK(count.atMost <= capacity, "{} weights for a table of {}", count.atMost, capacity);
    SPLAT_CHECK(count.atMost * sizeof(uint32_t) <= weights.bytes, "{} weights in {} bytes", count.atMost, weights.bytes);
    const uint32_t groups = scanGroups(count);
    const gpu::BufferSlice counts = count.words(weights);
    commands.dispatchGroups(kernels::cdf_float_tiles{.weights = weights,
                                                     .counts = counts,
                                                     .sums = table.sums,
                                                     .tileStarts = table.tileStarts,
                                                     .groups = groups,
                                                     .atMost = count.atMost,
                                                     .countIndex = count.index()},
                            groups);
    commands.dispatchGroups(
        kernels::cdf_float_totals{.counts = counts, .tileStarts = table.tileStarts, .atMost = count.atMost, .countIndex = count.index()},
        1);
}

}  // namespace splat::primitives
