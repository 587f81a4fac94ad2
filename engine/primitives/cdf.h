#pragma once

#include <string>

#include "primitives/scan.h"

namespace splat::primitives {

/// What a build leaves behind for draws. Any number of draws may follow a build; they share the plan, one after the other.
struct CdfTable {
    gpu::Buffer sums;        ///< u32 a weight: the sum from the beginning of its tile of shared::kCdfTile weights, itself included
    gpu::Buffer tileStarts;  ///< u64 a tile: the sum of all weights before it
    gpu::Buffer total;       ///< shared::CdfTotal
    gpu::Buffer plan;        ///< shared::CdfPlan of the last draw
    gpu::Buffer arguments;   ///< group counts of the last draw

    /// How many the last draw drew: what was asked for, or 0 where no weight is above 0.
    Word drawn() const { return {plan, 0}; }
};

/// Draws indices with probabilities in proportion to integer weights, by inversion of an exact cumulative distribution: sums of u32 within
/// tiles and of u64 over tiles, without a single float. So no weight above 0 is ever lost, however many there are (32-bit floats lose 7 %
/// of a million), none of 0 is ever drawn, and every device and the host draw the same.
///
/// A weight is at most shared::kCdfMaxWeight, 2^21 - 1, so that a tile's sum fits a word; a larger one counts as that. The sum S of 2^32
/// of them is below 2^53. Real weights are brought to this fixed point by their owner, who thereby decides what is too small to be drawn.
class Cdf {
public:
    explicit Cdf(gpu::Device& device) : Cdf(device, bestGroupScan(device, Summing::cdf)) {}
    Cdf(gpu::Device& device, GroupScan variant) : device_(&device), variant_(variant) {}

    /// Bytes that `table` allocates for at most so many weights; a little above four a weight.
    static uint64_t tableBytes(uint32_t capacity);
    CdfTable table(const std::string& name, uint32_t capacity) const;

    struct Build {
        gpu::BufferSlice weights;  ///< u32; 0 is never drawn
        const CdfTable& table;     ///< of at least the count's capacity
    };
    /// Two dispatches, the second of a single group, over the first `count` weights.
    void record(gpu::Commands& commands, const Build& build, const Count& count) const;

    struct Draw {
        const CdfTable& table;     ///< built; the weights and their count are not looked at again
        Word seed;                 ///< of the random numbers of shaders/lib/random.slang
        uint32_t stream = 0;       ///< of the random numbers
        gpu::BufferSlice sources;  ///< u32 a draw: the index drawn; untouched from `table.drawn()` on
        gpu::BufferSlice
            multiplicities;  ///< u32 a weight of the table's capacity: how often it was drawn; untouched from the weights' count on
    };
    /// Systematic resampling (Madow 1949; Carpenter, Clifford, Fearnhead 1999): n draws at equal steps of S/n from one random offset. Sources
    /// ascend. Index i is drawn floor(n w_i / S) or ceil(n w_i / S) times, and n w_i / S times on average: the expectation of independent
    /// draws with far less variance. But the draws are not independent: two indices next to each other exclude each other where n is small.
    void recordSystematic(gpu::Commands& commands, const Draw& draw, const Count& draws) const;
    /// Independent draws with replacement, in no order; probabilities are exact to 2^-64.
    void recordIndependent(gpu::Commands& commands, const Draw& draw, const Count& draws) const;

private:
    gpu::Device* device_;
    GroupScan variant_;
};

}  // namespace splat::primitives
