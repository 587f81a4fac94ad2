#include <splatwright/primitives/compact.h>

#include <splatwright/primitives/scan_grid.h>
#include "kernels/compact_reduce.h"
#include "kernels/compact_write.h"
#include "kernels/compact_write_portable.h"

namespace splat::primitives {

void Compaction::recordSums(gpu::Commands& commands, gpu::BufferSlice flags, const ScanScratch& scratch, const Count& count) {
    const uint32_t groups = scanGroups(count);
    commands.dispatchGroups(kernels::compact_reduce{.flags = flags,
                                                    .counts = count.words(flags),
                                                    .groupSums = scratch.groupSums,
                                                    .groups = groups,
                                                    .atMost = count.atMost,
                                                    .countIndex = count.index()},
                            groups);
}

void Compaction::record(gpu::Commands& commands, const Job& job, const Count& count) const {
    const uint32_t groups = scanGroups(count);
    const gpu::BufferSlice counts = count.words(job.flags);
    const gpu::BufferSlice sums = job.scratch.groupSums;
    recordSums(commands, job.flags, job.scratch, count);
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
