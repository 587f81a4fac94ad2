#pragma once

#include <string>

#include <splatwright/gpu/commands.h>
#include <splatwright/primitives/count.h>
#include <splatwright/primitives/group_scan.h>

namespace splat::primitives {

/// Temporary buffers of a scan or a compaction. Any number of calls may share them.
struct ScanScratch {
    gpu::Buffer groupSums;
};

/// Exclusive prefix sums of u32, clamped to 2^32 - 1. Reduce-then-scan in two dispatches over a bounded grid: each group handles a contiguous range,
/// and groups of the second dispatch add up the sums of the groups before them, so no pass over the sums is needed and no group waits.
class ExclusiveScan {
public:
    /// Uses the variant that the self test picks.
    explicit ExclusiveScan(gpu::Device& device) : ExclusiveScan(device, bestGroupScan(device, Summing::scan)) {}
    ExclusiveScan(gpu::Device& device, GroupScan variant) : device_(&device), variant_(variant) {}

    /// Bytes that `scratch` allocates, for any capacity.
    static uint64_t scratchBytes();
    ScanScratch scratch(const std::string& name) const;

    struct Job {
        gpu::BufferSlice values;  ///< u32
        gpu::BufferSlice sums;    ///< u32; may be `values`. Elements from the count on are unchanged
        Word total;               ///< the sum of all values, or 2^32 - 1; not in the buffers above
        const ScanScratch& scratch;
    };
    void record(gpu::Commands& commands, const Job& job, const Count& count) const;

private:
    gpu::Device* device_;
    GroupScan variant_;
};

}  // namespace splat::primitives
