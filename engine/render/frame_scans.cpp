#include <splatwright/render/frame_scans.h>

#include <splatwright/primitives/compact.h>
#include <splatwright/primitives/scan_grid.h>
#include "kernels/gather_tile_counts.h"
#include "kernels/list_visible.h"
#include "kernels/list_visible_lookback.h"
#include "kernels/list_visible_portable.h"
#include "kernels/scan_instances.h"
#include "kernels/scan_instances_lookback.h"
#include "kernels/scan_instances_portable.h"

namespace splat {

using primitives::GroupScan;

namespace {

/// Groups of a scan in one pass: one per tile of the capacity, because those past the count return immediately, and a million Gaussians are only 489.
uint32_t groupsOf(const FrameBuffers& f) { return primitives::lookBackGroups(f.capacity.gaussians, shared::kScanTile); }

template <class Kernel>
Kernel listVisible(const FrameBuffers& f) {
    Kernel k;
    k.activeCount = f.activeCount;
    k.tileCounts = f.tileCounts;
    k.depthKeys = f.depthKeysB;
    k.gaussianFromVisible = f.gaussianFromVisible;
    k.keys = f.depthKeysA;
    k.gaussians = f.gaussiansA;
    k.visibleCount = f.visibleCount;
    k.perVisible = f.perVisible;
    k.capacity = f.capacity.gaussians;
    return k;
}

template <class Kernel>
Kernel scanInstances(const FrameBuffers& f) {
    Kernel k;
    k.visibleCount = f.visibleCount;
    k.firstInstances = f.firstInstances;
    k.groupRanks = f.groupRanks;
    k.state = f.state;
    k.instanceCount = f.instanceCount;
    k.perInstance = f.perInstance;
    k.gaussians = f.capacity.gaussians;
    k.capacity = f.capacity.instances;
    return k;
}

/// Dispatches the second of two passes.
template <class Kernel>
void recordSecond(gpu::Commands& c, Kernel k, const primitives::ScanScratch& scratch, const primitives::Count& count) {
    k.groupSums = scratch.groupSums;
    k.groups = primitives::scanGroups(count);
    c.dispatchGroups(k, k.groups);
}

}  // namespace

FrameScans::FrameScans(gpu::Device& device)
    : visible_(primitives::bestGroupScan(device, primitives::Summing::compaction)),
      instances_(primitives::bestGroupScan(device, primitives::Summing::scan)),
      scratch_(primitives::ExclusiveScan(device).scratch("frame scan")) {}

FrameScans::FrameScans(gpu::Device& device, GroupScan variant, uint32_t polls)
    : visible_(variant), instances_(variant), polls_(polls), scratch_(primitives::ExclusiveScan(device, variant).scratch("frame scan")) {}

void FrameScans::recordVisible(gpu::Commands& c, const FrameBuffers& f) const {
    if (visible_ == GroupScan::lookBack) {
        auto kernel = listVisible<kernels::list_visible_lookback>(f);
        kernel.tileStates = f.visibleStates;
        kernel.kPolls = polls_;
        return c.dispatchGroups(kernel, groupsOf(f));
    }
    const primitives::Count count{f.capacity.gaussians, {f.activeCount}};
    primitives::Compaction::recordSums(c, f.tileCounts, scratch_, count);
    if (visible_ == GroupScan::subgroup) return recordSecond(c, listVisible<kernels::list_visible>(f), scratch_, count);
    recordSecond(c, listVisible<kernels::list_visible_portable>(f), scratch_, count);
}

void FrameScans::recordInstances(gpu::Commands& c, const FrameBuffers& f, gpu::BufferSlice gaussianFromRank) const {
    if (instances_ == GroupScan::lookBack) {
        auto kernel = scanInstances<kernels::scan_instances_lookback>(f);
        kernel.gaussianFromRank = gaussianFromRank;
        kernel.tileCounts = f.tileCounts;
        kernel.tileStates = f.instanceStates;
        kernel.kPolls = polls_;
        return c.dispatchGroups(kernel, groupsOf(f));
    }
    const primitives::Count count{f.capacity.gaussians, {f.visibleCount}};
    c.dispatchIndirect(kernels::gather_tile_counts{.visibleCount = f.visibleCount,
                                                   .gaussianFromRank = gaussianFromRank,
                                                   .tileCounts = f.tileCounts,
                                                   .rankedCounts = f.firstInstances},
                       f.perVisible);
    primitives::ExclusiveScan::recordSums(c, f.firstInstances, scratch_, count);
    if (instances_ == GroupScan::subgroup) return recordSecond(c, scanInstances<kernels::scan_instances>(f), scratch_, count);
    recordSecond(c, scanInstances<kernels::scan_instances_portable>(f), scratch_, count);
}

}  // namespace splat
