#pragma once

#include <splatwright/primitives/scan.h>

namespace splat::primitives {

/// Ordered compaction: the indices of non-zero flags in ascending order, and their number. Order matters because a stable sort that follows then
/// breaks ties the same way every time.
class Compaction {
public:
    explicit Compaction(gpu::Device& device) : Compaction(device, bestGroupScan(device, Summing::compaction)) {}
    /// `polls` as for a scan.
    Compaction(gpu::Device& device, GroupScan variant, uint32_t polls = shared::kLookBackPolls)
        : device_(&device), variant_(variant), polls_(polls) {}

    ScanScratch scratch(const std::string& name, uint32_t atMost = 0) const {
        return ExclusiveScan(*device_, variant_).scratch(name, atMost);
    }

    struct Job {
        gpu::BufferSlice flags;    ///< u32; non-zero keeps the index
        gpu::BufferSlice indices;  ///< u32, one per kept flag; the rest is unchanged
        Word kept;                 ///< number of kept flags; not in the buffers above
        const ScanScratch& scratch;
    };
    void record(gpu::Commands& commands, const Job& job, const Count& count) const;
    /// The first of two passes alone, for a kernel of scanGroups(count) groups that stores the results itself.
    static void recordSums(gpu::Commands& commands, gpu::BufferSlice flags, const ScanScratch& scratch, const Count& count);

private:
    void recordOnePass(gpu::Commands& commands, const Job& job, const Count& count) const;
    void recordTwoPasses(gpu::Commands& commands, const Job& job, const Count& count) const;

    gpu::Device* device_;
    GroupScan variant_;
    uint32_t polls_;
};

}  // namespace splat::primitives
