#pragma once

#include <string>

#include <splatwright/primitives/cdf.h>

namespace splat::primitives {

/// Buffers that a build fills for draws. Any number of draws may follow a build, one after another.
struct LayeredCdfTable {
    CdfTable members;
    gpu::Buffer groupStarts;  ///< u32 per group: its first member
    gpu::Buffer groupEnds;    ///< u64 per group: the sum of all weights to its end
    gpu::Buffer counts;       ///< u32: number of members, of groups
    ScanScratch scratch;

    Word memberCount() const { return {counts, 0}; }
    /// Number of indices drawn last: the requested number, or 0 if no weight is above 0.
    Word drawn() const { return members.drawn(); }
};

/// Draws a group, then one of its members, in proportion to integer weights: a group's weight is the sum of those of its members. All groups are built
/// by one recording and drawn from by one, with the exact sums of Cdf: no member with a weight above 0 is lost, none of 0 is drawn, and indices are those
/// that Cdf would draw from all members.
class LayeredCdf {
public:
    explicit LayeredCdf(gpu::Device& device) : LayeredCdf(device, bestGroupScan(device, Summing::cdf)) {}
    LayeredCdf(gpu::Device& device, GroupScan variant) : device_(&device), cdf_(device, variant), starts_(device) {}

    LayeredCdfTable table(const std::string& name, uint32_t members, uint32_t groups) const;

    struct Build {
        gpu::BufferSlice weights;     ///< u32 per member, group after group, at most shared::kCdfMaxWeight; larger ones are clamped
        gpu::BufferSlice groupSizes;  ///< u32 per group: number of members, may be 0; members past the table's capacity are left out
        const LayeredCdfTable& table;
    };
    /// Records the build over `groups` groups.
    void record(gpu::Commands& commands, const Build& build, const Count& groups) const;

    struct Draw {
        const LayeredCdfTable& table;   ///< built; weights and sizes are not read again
        Word seed;                      ///< for shaders/lib/core/random.slang
        uint32_t stream = 0;            ///< random stream
        gpu::BufferSlice sources;       ///< u32 per draw: the member's index among all members; unchanged from `table.drawn()` on
        gpu::BufferSlice sourceGroups;  ///< u32 per draw: the group's index; likewise
        gpu::BufferSlice
            multiplicities;  ///< u32 per member of the table's capacity: number of draws; unchanged from the members' number on
    };
    /// Systematic resampling, as Cdf::recordSystematic. Groups have as many draws as their weight deserves, rounded down or up.
    void recordSystematic(gpu::Commands& commands, const Draw& draw, const Count& draws) const;
    /// Independent draws with replacement, as Cdf::recordIndependent.
    void recordIndependent(gpu::Commands& commands, const Draw& draw, const Count& draws) const;

private:
    gpu::Device* device_;
    Cdf cdf_;
    ExclusiveScan starts_;
};

}  // namespace splat::primitives
