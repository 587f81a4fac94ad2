#pragma once

#include <string>

#include "gpu/commands.h"
#include "primitives/count.h"
#include "primitives/group_scan.h"

namespace splat::primitives {

/// What a scan or a compaction borrows while it runs; any number of calls may share one.
struct ScanScratch {
    gpu::Buffer groupSums;
};

/// Exclusive prefix sums of u32; where they are more than 2^32 - 1, that. Reduce-then-scan in two dispatches over a bounded grid: each group takes a contiguous range,
/// and the second dispatch adds up the sums of the groups before it, so no pass over the sums is needed. No group waits for another.
class ExclusiveScan {
public:
    /// With the variant that the self test picks.
    explicit ExclusiveScan(gpu::Device& device) : ExclusiveScan(device, bestGroupScan(device, Summing::scan)) {}
    ExclusiveScan(gpu::Device& device, GroupScan variant) : device_(&device), variant_(variant) {}

    /// Bytes that `scratch` allocates; the same for every capacity.
    static uint64_t scratchBytes();
    ScanScratch scratch(const std::string& name) const;

    struct Job {
        gpu::BufferSlice values;  ///< u32
        gpu::BufferSlice sums;    ///< u32; may be `values`. Elements from the count on stay as they are
        Word total;               ///< the sum of all values, or 2^32 - 1; not in the buffers above
        const ScanScratch& scratch;
    };
    void record(gpu::Commands& commands, const Job& job, const Count& count) const;

private:
    gpu::Device* device_;
    GroupScan variant_;
};

}  // namespace splat::primitives
