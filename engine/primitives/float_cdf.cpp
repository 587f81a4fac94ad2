#include <splatwright/primitives/float_cdf.h>

#include <algorithm>

#include <splatwright/primitives/scan_grid.h>
#include "kernels/cdf_float_tiles.h"
#include "kernels/cdf_float_tiles_portable.h"
#include "kernels/cdf_float_totals.h"

namespace splat::primitives {

FloatCdfTable floatCdfTable(gpu::Device& device, const std::string& name, uint32_t capacity) {
    const uint32_t weights = std::max(capacity, 1u);  // Vulkan has no empty buffers
    return {.sums = device.buffer<float>(name + " sums", weights),
            .tileStarts = device.buffer<float>(name + " tile starts", (weights - 1) / shared::kCdfTile + 1)};
}

void recordFloatCdf(gpu::Commands& commands, const FloatCdfBuild& build, const Count& count) {
    const uint64_t capacity = build.table.sums.bytes() / sizeof(float);
    SPLAT_CHECK(count.atMost <= capacity, "{} weights for a table of {}", count.atMost, capacity);
    SPLAT_CHECK(count.atMost * sizeof(uint32_t) <= build.weights.bytes, "{} weights in {} bytes", count.atMost, build.weights.bytes);
    const uint32_t groups = scanGroups(count);
    const gpu::BufferSlice counts = count.words(build.weights), tileStarts = build.table.tileStarts;
    const auto tiles = [&]<class Kernel>() {
        commands.dispatchGroups(Kernel{.weights = build.weights,
                                       .counts = counts,
                                       .sums = build.table.sums,
                                       .tileStarts = tileStarts,
                                       .groups = groups,
                                       .atMost = count.atMost,
                                       .countIndex = count.index()},
                                groups);
    };
    build.variant == GroupScan::subgroup ? tiles.operator()<kernels::cdf_float_tiles>()
                                         : tiles.operator()<kernels::cdf_float_tiles_portable>();
    commands.dispatchGroups(
        kernels::cdf_float_totals{.counts = counts, .tileStarts = tileStarts, .atMost = count.atMost, .countIndex = count.index()}, 1);
}

}  // namespace splat::primitives
