#include <splatwright/primitives/scan.h>

#include <algorithm>

#include <splatwright/primitives/scan_grid.h>
#include "kernels/scan_lookback.h"
#include "kernels/scan_lookback_u64.h"
#include "kernels/scan_reduce.h"
#include "kernels/scan_reduce_u64.h"
#include "kernels/scan_write.h"
#include "kernels/scan_write_portable.h"
#include "kernels/scan_write_portable_u64.h"
#include "kernels/scan_write_u64.h"

namespace splat::primitives {

uint32_t scanGroups(const Count& count) { return std::clamp(count.atMost / shared::kScanTile + 1, 1u, shared::kMaxScanGroups); }

uint32_t lookBackGroups(uint32_t atMost, uint32_t tile) { return std::max(atMost / tile + (atMost % tile != 0 ? 1 : 0), 1u); }

uint64_t lookBackWords(uint32_t atMost, uint32_t tile) { return uint64_t{lookBackGroups(atMost, tile)} * shared::kLookBackStateWords; }

bool hasTileStates(const ScanScratch& scratch, uint64_t words) { return scratch.tileStates.bytes() >= words * sizeof(uint32_t); }

gpu::BufferSlice clearTileStates(gpu::Commands& commands, const ScanScratch& scratch, uint64_t words) {
    const gpu::BufferSlice states = scratch.tileStates.slice(0, words * sizeof(uint32_t));
    commands.fill(states, 0);
    return states;
}

namespace {

/// The kernels for a kind of number, and the values per group of the one-pass scan.
struct WordKernels {
    using Reduce = kernels::scan_reduce;
    using Write = kernels::scan_write;
    using WritePortable = kernels::scan_write_portable;
    using LookBack = kernels::scan_lookback;
    static constexpr uint32_t kTile = shared::kLookBackTile, kWords = 1;
};

struct WideKernels {
    using Reduce = kernels::scan_reduce_u64;
    using Write = kernels::scan_write_u64;
    using WritePortable = kernels::scan_write_portable_u64;
    using LookBack = kernels::scan_lookback_u64;
    static constexpr uint32_t kTile = shared::kScanTile, kWords = 2;
};

template <class Kernels>
uint64_t stateWords(uint32_t atMost) {
    return lookBackWords(atMost, Kernels::kTile) * Kernels::kWords;
}

template <class Kernels>
void recordSumsWith(gpu::Commands& commands, gpu::BufferSlice values, const ScanScratch& scratch, const Count& count) {
    const uint32_t groups = scanGroups(count);
    commands.dispatchGroups(typename Kernels::Reduce{.counts = count.words(values),
                                                     .values = values,
                                                     .groupSums = scratch.groupSums.words(),
                                                     .groups = groups,
                                                     .atMost = count.atMost,
                                                     .countIndex = count.index()},
                            groups);
}

}  // namespace

ScanScratch ExclusiveScan::scratch(const std::string& name, uint32_t atMost, ScanNumber number) const {
    const bool wide = number == ScanNumber::u64;
    const uint32_t sums = shared::kMaxScanGroups * (wide ? WideKernels::kWords : WordKernels::kWords);
    ScanScratch scratch{.groupSums = device_->buffer<uint32_t>(name + " group sums", sums)};
    if (variant_ == GroupScan::lookBack && atMost > 0) {
        const uint64_t words = wide ? stateWords<WideKernels>(atMost) : stateWords<WordKernels>(atMost);
        scratch.tileStates = device_->buffer<uint32_t>(name + " tile states", words);
    }
    return scratch;
}

void ExclusiveScan::record(gpu::Commands& commands, const Job& job, const Count& count) const {
    job.number == ScanNumber::u64 ? recordWith<WideKernels>(commands, job, count) : recordWith<WordKernels>(commands, job, count);
}

template <class Kernels>
void ExclusiveScan::recordWith(gpu::Commands& commands, const Job& job, const Count& count) const {
    // Values that another group may sum again would be gone.
    const bool inPlace = device_->aliases().shareMemory(job.values.buffer, job.sums.buffer);
    const bool hasStates = hasTileStates(job.scratch, stateWords<Kernels>(count.atMost));
    if (variant_ == GroupScan::lookBack && !inPlace && hasStates) return recordOnePass<Kernels>(commands, job, count);
    recordTwoPasses<Kernels>(commands, job, count);
}

template <class Kernels>
void ExclusiveScan::recordOnePass(gpu::Commands& commands, const Job& job, const Count& count) const {
    commands.dispatchGroups(
        typename Kernels::LookBack{.counts = count.words(job.values),
                                   .values = job.values,
                                   .sums = job.sums,
                                   .total = job.total.words(),
                                   .tileStates = clearTileStates(commands, job.scratch, stateWords<Kernels>(count.atMost)),
                                   .atMost = count.atMost,
                                   .countIndex = count.index(),
                                   .totalIndex = job.total.index,
                                   .kPolls = polls_},
        lookBackGroups(count.atMost, Kernels::kTile));
}

void ExclusiveScan::recordSums(gpu::Commands& commands, gpu::BufferSlice values, const ScanScratch& scratch, const Count& count) {
    recordSumsWith<WordKernels>(commands, values, scratch, count);
}

template <class Kernels>
void ExclusiveScan::recordTwoPasses(gpu::Commands& commands, const Job& job, const Count& count) const {
    recordSumsWith<Kernels>(commands, job.values, job.scratch, count);
    const uint32_t groups = scanGroups(count);
    const auto write = [&]<class Kernel>() {
        commands.dispatchGroups(Kernel{.counts = count.words(job.values),
                                       .values = job.values,
                                       .sums = job.sums,
                                       .groupSums = job.scratch.groupSums.words(),
                                       .total = job.total.words(),
                                       .groups = groups,
                                       .atMost = count.atMost,
                                       .countIndex = count.index(),
                                       .totalIndex = job.total.index},
                                groups);
    };
    variant_ == GroupScan::portable ? write.template operator()<typename Kernels::WritePortable>()
                                    : write.template operator()<typename Kernels::Write>();
}

}  // namespace splat::primitives
