// The kernels around the blend that order tiles and sum rows of instances.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/rng.h"
#include "gpu/commands.h"
#include "kernels/order_tiles.h"
#include "kernels/sum_partials.h"
#include "render/view.h"
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

/// Rows of instances for gaussians of which every third is hidden.
struct Rows {
    explicit Rows(uint32_t gaussians) : counts(gaussians), first(gaussians) {
        Rng rng(gaussians);
        for (uint32_t g = 0; g < gaussians; ++g) {
            counts[g] = g % 3 == 2 ? 0 : 1 + g * 7 % 40;
            if (counts[g] == 0) continue;
            first[g] = static_cast<uint32_t>(values.size() / 9);
            visible.push_back(g);
            for (uint32_t i = 0; i < 9 * counts[g]; ++i) values.push_back(static_cast<float>(rng.uniform(-1, 1)));
        }
    }
    std::vector<uint32_t> counts, first, visible;
    std::vector<float> values;
};

std::vector<float> summed(const Rows& rows, bool halted) {
    gpu::Device& d = testDevice();
    const auto count = static_cast<uint32_t>(rows.visible.size());
    const gpu::Buffer state = d.buffer<shared::FrameState>("state", 1), visibleCount = d.buffer<uint32_t>("visible count", 1);
    const gpu::Buffer visible = d.buffer<uint32_t>("visible", count), counts = d.buffer<uint32_t>("counts", rows.counts.size());
    const gpu::Buffer first = d.buffer<uint32_t>("first", rows.first.size()), values = d.buffer<float>("rows", rows.values.size());
    const gpu::Buffer gradients = d.buffer<float>("gradients", 9 * rows.counts.size());
    d.upload(state, std::vector{shared::FrameState{.halted = halted ? 1u : 0u}});
    d.upload(visibleCount, std::vector{count});
    d.upload(visible, rows.visible);
    d.upload(counts, rows.counts);
    d.upload(first, rows.first);
    d.upload(values, rows.values);
    d.run("sum", [&](gpu::Commands& c) {
        c.fill(gradients, 0);
        c.dispatchGroups(kernels::sum_partials{.state = state,
                                               .visibleCount = visibleCount,
                                               .gaussianFromVisible = visible,
                                               .firstEmissionFromGaussian = first,
                                               .tileCounts = counts,
                                               .rows = values,
                                               .gradients = gradients},
                         (count + 255) / 256);
    });
    return d.download<float>(gradients, 9 * rows.counts.size());
}

TEST(SumPartials, SumsTheRowsOfEveryVisibleGaussian) {
    for (const uint32_t gaussians : {1u, 31u, 32u, 33u, 384u, 385u, 1000u}) {
        const Rows rows(gaussians);
        const std::vector<float> found = summed(rows, false);
        for (size_t i = 0; i < found.size(); ++i) {
            double expected = 0;
            for (size_t row = 0; row < rows.counts[i / 9]; ++row)
                expected += static_cast<double>(rows.values[(rows.first[i / 9] + row) * 9 + i % 9]);
            ASSERT_NEAR(found[i], expected, 1e-5) << gaussians << " gaussians, word " << i;
        }
        ASSERT_EQ(found, summed(rows, false));
    }
}

TEST(SumPartials, DoesNothingInAHaltedFrame) {
    for (const float value : summed(Rows(100), true)) ASSERT_EQ(value, 0.0f);
}

}  // namespace
}  // namespace splat
