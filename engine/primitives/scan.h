#pragma once

#include <string>

#include <splatwright/gpu/commands.h>
#include <splatwright/primitives/count.h>
#include <splatwright/primitives/group_scan.h>

namespace splat::primitives {

/// Temporary buffers of a scan or a compaction. Any number of calls may share them.
struct ScanScratch {
    gpu::Buffer groupSums;
    gpu::Buffer tileStates;  ///< of scans in one pass; too small for a call: the call takes two passes
};

/// What is summed: words, whose sums are clamped to 2^32 - 1, or 64-bit numbers, whose sums are modulo 2^64.
enum class ScanNumber { u32, u64 };

/// Exclusive prefix sums. Reduce-then-scan in two dispatches over a bounded grid: each group handles a contiguous range,
/// and groups of the second dispatch add up the sums of the groups before them, so no pass over the sums is needed and no group waits. The variant
/// lookBack reads its values once (shaders/lib/scan/look_back.slang).
class ExclusiveScan {
public:
    /// Uses the variant that the self test picks.
    explicit ExclusiveScan(gpu::Device& device) : ExclusiveScan(device, bestGroupScan(device, Summing::scan)) {}
    /// `polls` of a missing state precede the scan's fallback (shared::kLookBackPolls).
    ExclusiveScan(gpu::Device& device, GroupScan variant, uint32_t polls = shared::kLookBackPolls)
        : device_(&device), variant_(variant), polls_(polls) {}

    /// For calls of any size in two passes, and of up to `atMost` values in one if the variant has one pass.
    ScanScratch scratch(const std::string& name, uint32_t atMost = 0, ScanNumber number = ScanNumber::u32) const;

    struct Job {
        gpu::BufferSlice values;
        gpu::BufferSlice
            sums;  ///< may be the memory of `values`, then in two passes, from the same place on. Elements from the count on are unchanged
        Word total;  ///< the sum of all values, in numbers from the slice's start; not in the buffers above
        const ScanScratch& scratch;
        ScanNumber number = ScanNumber::u32;  ///< of values, sums and total
    };
    void record(gpu::Commands& commands, const Job& job, const Count& count) const;
    /// The first of two passes alone, for a kernel of scanGroups(count) groups that stores the results itself.
    static void recordSums(gpu::Commands& commands, gpu::BufferSlice values, const ScanScratch& scratch, const Count& count);

private:
    template <class Kernels>
    void recordWith(gpu::Commands& commands, const Job& job, const Count& count) const;
    template <class Kernels>
    void recordOnePass(gpu::Commands& commands, const Job& job, const Count& count) const;
    template <class Kernels>
    void recordTwoPasses(gpu::Commands& commands, const Job& job, const Count& count) const;

    gpu::Device* device_;
    GroupScan variant_;
    uint32_t polls_;
};

}  // namespace splat::primitives
