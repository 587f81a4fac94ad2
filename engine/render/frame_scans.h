#pragma once

#include <splatwright/primitives/group_scan.h>
#include <splatwright/primitives/scan.h>
#include <splatwright/render/frame.h>

namespace splat {

/// The scans of a frame: in one pass each (look-back), or in two. The frame's `zeroed` memory must be cleared before.
class FrameScans {
public:
    /// Uses the variants that the self tests pick.
    explicit FrameScans(gpu::Device& device);
    /// Uses one variant for both; `polls` as for primitives::ExclusiveScan.
    FrameScans(gpu::Device& device, primitives::GroupScan variant, uint32_t polls = shared::kLookBackPolls);

    /// Lists the Gaussians with tiles, of activeCount, in index order: gaussianFromVisible, gaussiansA, depthKeysA, visibleCount and perVisible.
    void recordVisible(gpu::Commands& commands, const FrameBuffers& frame) const;
    /// Sums tile counts in depth order: firstInstances, instanceCount and perInstance. More instances than the capacity halt the frame.
    void recordInstances(gpu::Commands& commands, const FrameBuffers& frame, gpu::BufferSlice gaussianFromRank) const;

private:
    primitives::GroupScan visible_, instances_;
    uint32_t polls_ = shared::kLookBackPolls;
    primitives::ScanScratch scratch_;
};

}  // namespace splat
