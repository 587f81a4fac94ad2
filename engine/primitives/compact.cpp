#include <splatwright/primitives/compact.h>

#include <splatwright/primitives/scan_grid.h>
#include "kernels/compact_reduce.h"
#include "kernels/compact_write.h"
#include "kernels/compact_write_portable.h"

namespace splat::primitives {

void Compaction::record(gpu::Commands& commands, const Job& job, const Count& count) const {
    const uint32_t groups = scanGroups(count);
    const gpu::BufferSlice counts = count.words(job.flags);
    const gpu::BufferSlice sums = job.scratch.groupSums;
    commands.dispatchGroups(
        kernels::compact_reduce{
            .flags = job.flags, .counts = counts, .groupSums = sums, .groups = groups, .atMost = count.atMost, .countIndex = count.index()},
        groups);
    const auto write = [&]<class Kernel>() {
        commands.dispatchGroups(Kernel{.flags = job.flags,
                                       .indices = job.indices,
                                       .counts = counts,
                                       .groupSums = sums,
                                       .kept = job.kept.words(),
                                       .groups = groups,
                                       .atMost = count.atMost,
                                       .countIndex = count.index(),
                                       .keptIndex = job.kept.index},
                                groups);
    };
    variant_ == GroupScan::subgroup ? write.operator()<kernels::compact_write>() : write.operator()<kernels::compact_write_portable>();
}

}  // namespace splat::primitives
