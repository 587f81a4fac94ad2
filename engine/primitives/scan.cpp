#include <splatwright/primitives/scan.h>

#include <algorithm>

#include <splatwright/primitives/scan_grid.h>
#include "kernels/scan_lookback.h"
#include "kernels/scan_reduce.h"
#include "kernels/scan_write.h"
#include "kernels/scan_write_portable.h"

namespace splat::primitives {

uint32_t scanGroups(const Count& count) { return std::clamp(count.atMost / shared::kScanTile + 1, 1u, shared::kMaxScanGroups); }

uint32_t lookBackGroups(uint32_t atMost, uint32_t tile) { return std::max(atMost / tile + (atMost % tile != 0 ? 1 : 0), 1u); }

uint64_t lookBackWords(uint32_t atMost, uint32_t tile) { return uint64_t{lookBackGroups(atMost, tile)} * shared::kLookBackStateWords; }

bool hasTileStates(const ScanScratch& scratch, const Count& count) {
    return scratch.tileStates.bytes() >= lookBackWords(count.atMost, shared::kLookBackTile) * sizeof(uint32_t);
}

gpu::BufferSlice clearTileStates(gpu::Commands& commands, const ScanScratch& scratch, const Count& count) {
    const gpu::BufferSlice states = scratch.tileStates.slice(0, lookBackWords(count.atMost, shared::kLookBackTile) * sizeof(uint32_t));
    commands.fill(states, 0);
    return states;
}

ScanScratch ExclusiveScan::scratch(const std::string& name, uint32_t atMost) const {
    ScanScratch scratch{.groupSums = device_->buffer<uint32_t>(name + " group sums", shared::kMaxScanGroups)};
    if (variant_ == GroupScan::lookBack && atMost > 0)
        scratch.tileStates = device_->buffer<uint32_t>(name + " tile states", lookBackWords(atMost, shared::kLookBackTile));
    return scratch;
}

void ExclusiveScan::record(gpu::Commands& commands, const Job& job, const Count& count) const {
    const bool inPlace = job.values.buffer == job.sums.buffer;  // values that another group may sum again would be gone
    if (variant_ == GroupScan::lookBack && !inPlace && hasTileStates(job.scratch, count)) return recordOnePass(commands, job, count);
    recordTwoPasses(commands, job, count);
}

void ExclusiveScan::recordOnePass(gpu::Commands& commands, const Job& job, const Count& count) const {
    commands.dispatchGroups(kernels::scan_lookback{.values = job.values,
                                                   .sums = job.sums,
                                                   .counts = count.words(job.values),
                                                   .total = job.total.words(),
                                                   .tileStates = clearTileStates(commands, job.scratch, count),
                                                   .atMost = count.atMost,
                                                   .countIndex = count.index(),
                                                   .totalIndex = job.total.index,
                                                   .kPolls = polls_},
                            lookBackGroups(count.atMost, shared::kLookBackTile));
}

void ExclusiveScan::recordSums(gpu::Commands& commands, gpu::BufferSlice values, const ScanScratch& scratch, const Count& count) {
    const uint32_t groups = scanGroups(count);
    commands.dispatchGroups(kernels::scan_reduce{.values = values,
                                                 .counts = count.words(values),
                                                 .groupSums = scratch.groupSums,
                                                 .groups = groups,
                                                 .atMost = count.atMost,
                                                 .countIndex = count.index()},
                            groups);
}

void ExclusiveScan::recordTwoPasses(gpu::Commands& commands, const Job& job, const Count& count) const {
    recordSums(commands, job.values, job.scratch, count);
    const uint32_t groups = scanGroups(count);
    const gpu::BufferSlice counts = count.words(job.values);
    const gpu::BufferSlice sums = job.scratch.groupSums;
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
    variant_ == GroupScan::portable ? write.operator()<kernels::scan_write_portable>() : write.operator()<kernels::scan_write>();
}

}  // namespace splat::primitives
