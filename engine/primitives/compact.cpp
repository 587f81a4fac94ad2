#include <splatwright/primitives/compact.h>

#include <splatwright/primitives/scan_grid.h>
#include "kernels/compact_lookback.h"
#include "kernels/compact_reduce.h"
#include "kernels/compact_write.h"
#include "kernels/compact_write_portable.h"

namespace splat::primitives {

namespace {

uint64_t stateWords(const Count& count) { return lookBackWords(count.atMost, shared::kLookBackTile); }

}  // namespace

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
    // Flags that another group may count again would be gone.
    const bool inPlace = device_->aliases().shareMemory(job.flags.buffer, job.indices.buffer);
    if (variant_ == GroupScan::lookBack && !inPlace && hasTileStates(job.scratch, stateWords(count)))
        return recordOnePass(commands, job, count);
    recordTwoPasses(commands, job, count);
}

void Compaction::recordOnePass(gpu::Commands& commands, const Job& job, const Count& count) const {
    commands.dispatchGroups(kernels::compact_lookback{.flags = job.flags,
                                                      .indices = job.indices,
                                                      .counts = count.words(job.flags),
                                                      .kept = job.kept.words(),
                                                      .tileStates = clearTileStates(commands, job.scratch, stateWords(count)),
                                                      .atMost = count.atMost,
                                                      .countIndex = count.index(),
                                                      .keptIndex = job.kept.index,
                                                      .kPolls = polls_},
                            lookBackGroups(count.atMost, shared::kLookBackTile));
}

void Compaction::recordTwoPasses(gpu::Commands& commands, const Job& job, const Count& count) const {
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
    variant_ == GroupScan::portable ? write.operator()<kernels::compact_write_portable>() : write.operator()<kernels::compact_write>();
}

}  // namespace splat::primitives
