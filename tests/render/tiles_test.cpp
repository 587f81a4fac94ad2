// The kernel that orders tiles for the blend.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <splatwright/core/rng.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/render/view.h>
#include "kernels/order_tiles.h"
#include "support/test_device.h"

namespace splat {
namespace {

std::vector<glm::uvec2> randomRanges(size_t tiles, uint32_t longest) {
    Rng rng(tiles);
    std::vector<glm::uvec2> ranges(tiles);
    for (glm::uvec2& r : ranges) r = {7, 7 + static_cast<uint32_t>(rng.uniform(0, 1) * rng.uniform(0, 1) * longest)};
    return ranges;
}

std::vector<uint32_t> orderOf(const std::vector<glm::uvec2>& ranges) {
    gpu::Device& device = testDevice();
    const gpu::Buffer tileRanges = device.buffer<glm::uvec2>("ranges", ranges.size());
    const gpu::Buffer order = device.buffer<uint32_t>("order", ranges.size());
    device.upload(tileRanges, ranges);
    const kernels::order_tiles kernel{.tileRanges = tileRanges, .tileOrder = order, .tiles = static_cast<uint32_t>(ranges.size())};
    device.run("order", [&](gpu::Commands& c) { c.dispatchGroups(kernel, 1); });
    return device.download<uint32_t>(order, ranges.size());
}

TEST(OrderTiles, PutsEveryTileOnceAndLongListsFirst) {
    for (const size_t tiles : std::vector<size_t>{1, 2, 255, 256, 257, 3000}) {
        for (const uint32_t longest : {0u, 1u, 9u, 5000u, 10'000'000u}) {
            const auto ranges = randomRanges(tiles, longest);
            std::vector<uint32_t> order = orderOf(ranges);
            for (size_t i = 1; i < tiles; ++i) {
                const uint32_t before = ranges[order[i - 1]].y - ranges[order[i - 1]].x;
                const uint32_t here = ranges[order[i]].y - ranges[order[i]].x;
                ASSERT_LE(here, before + before / 8) << tiles << " tiles, place " << i;  // classes are an eighth of a power of two wide
            }
            std::sort(order.begin(), order.end());
            std::vector<uint32_t> all(tiles);
            std::iota(all.begin(), all.end(), 0);
            ASSERT_EQ(order, all);
        }
    }
}

}  // namespace
}  // namespace splat
