#include <splatwright/render/lane_counts.h>

#include <numeric>

#include <splatwright/render/accumulate/inputs.h>
#include "kernels/count_lanes.h"

namespace splat {

static_assert(shared::kLaneCountWords == shared::kLargestSubgroup + 2);

uint32_t summedLanes(const gpu::Device& device) {
    return device.runs(kernels::count_lanes::info()) ? device.fullSubgroupSize(kernels::count_lanes::info()) : 0;
}

LaneCounts countLanes(gpu::Device& device, const BackwardJob& job) {
    const uint32_t lanes = summedLanes(device);
    SPLAT_CHECK(lanes > 0, "{} has no subgroups to count lanes of", device.name());
    const gpu::Buffer words = device.buffer<uint32_t>("lane counts", shared::kLaneCountWords);
    device.run("count lanes", [&](gpu::Commands& c) {
        c.fill(words, 0);
        recordTiles(c, kernels::count_lanes{.laneCounts = words}, job, 1);
    });
    const auto found = device.download<uint32_t>(words, shared::kLaneCountWords);
    return {.pairs = {found.begin(), found.begin() + lanes + 1}, .several = found.back()};
}

uint64_t countAdditions(gpu::Device& device, const AccumulationRow& row, const BackwardJob& job) {
    SPLAT_CHECK(row.count, "accumulation '{}' does not count its additions", row.name);
    device.run("count additions", [&](gpu::Commands& c) {
        recordClear(c, row, job.buffers, job.sums);
        row.count(device, c, job);
    });
    const gpu::BufferSlice words = job.buffers.gradients.words();
    const auto counts = device.download<uint32_t>(words, words.bytes / sizeof(uint32_t));
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

}  // namespace splat
