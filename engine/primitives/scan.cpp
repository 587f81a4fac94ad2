#include <splatwright/primitives/scan.h>

#include <algorithm>

#include <splatwright/primitives/scan_grid.h>
#include "kernels/scan_reduce.h"
#include "kernels/scan_write.h"
#include "kernels/scan_write_portable.h"

namespace splat::primitives {

uint32_t scanGroups(const Count& count) { return std::clamp(count.atMost / shared::kScanTile + 1, 1u, shared::kMaxScanGroups); }

uint64_t ExclusiveScan::scratchBytes() { return shared::kMaxScanGroups * sizeof(uint32_t); }

ScanScratch ExclusiveScan::scratch(const std::string& name) const {
    return {device_->buffer<uint32_t>(name + " group sums", shared::kMaxScanGroups)};
}

void ExclusiveScan::record(gpu::Commands& commands, const Job& job, const Count& count) const {
    const uint32_t groups = scanGroups(count);
    const gpu::BufferSlice counts = count.words(job.values);
    const gpu::BufferSlice sums = job.scratch.groupSums;
    commands.dispatchGroups(kernels::scan_reduce{.values = job.values,
                                                 .counts = counts,
                                                 .groupSums = sums,
                                                 .groups = groups,
                                                 .atMost = count.atMost,
                                                 .countIndex = count.index()},
                            groups);
    const auto write = [&]<class Kernel>() {
        commands.dispatchGroups(Kernel{.values = job.values,
                                       .sums = job.sums,
                                       .counts = counts,
                                       .groupSums = sums,
                                       .total = job.total.words(),
                                       .groups = groups,
                                       .atMost = count.atMost,
                                       .countIndex = count.index(),
                                       .totalIndex = job.total.index},
                                groups);
    };
    variant_ == GroupScan::subgroup ? write.operator()<kernels::scan_write>() : write.operator()<kernels::scan_write_portable>();
}

}  // namespace splat::primitives
