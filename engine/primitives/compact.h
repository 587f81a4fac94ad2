#pragma once

#include <splatwright/primitives/scan.h>

namespace splat::primitives {

/// Ordered compaction: the indices of non-zero flags in ascending order, and their number. Order matters because a stable sort that follows then
/// breaks ties the same way every time.
class Compaction {
public:
    explicit Compaction(gpu::Device& device) : Compaction(device, bestGroupScan(device, Summing::compaction)) {}
    Compaction(gpu::Device& device, GroupScan variant) : device_(&device), variant_(variant) {}

    static uint64_t scratchBytes() { return ExclusiveScan::scratchBytes(); }
    ScanScratch scratch(const std::string& name) const { return ExclusiveScan(*device_, variant_).scratch(name); }

    struct Job {
        gpu::BufferSlice flags;    ///< u32; non-zero keeps the index
        gpu::BufferSlice indices;  ///< u32, one per kept flag; the rest is unchanged
        Word kept;                 ///< number of kept flags; not in the buffers above
        const ScanScratch& scratch;
    };
    void record(gpu::Commands& commands, const Job& job, const Count& count) const;
    /// The first of its two passes alone, for a kernel of scanGroups(count) groups that stores what it finds itself.
    static void recordSums(gpu::Commands& commands, gpu::BufferSlice flags, const ScanScratch& scratch, const Count& count);

private:
    gpu::Device* device_;
    GroupScan variant_;
};

}  // namespace splat::primitives
