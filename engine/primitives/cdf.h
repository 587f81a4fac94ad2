#pragma once

#include <string>

#include <splatwright/primitives/scan.h>

namespace splat::primitives {

/// Buffers that a build fills for draws. Any number of draws may follow a build, one after another.
struct CdfTable {
    gpu::Buffer sums;        ///< u32 per weight: inclusive sum from the start of its tile of shared::kCdfTile weights
    gpu::Buffer tileStarts;  ///< u64 per tile: the sum of all weights before it
    gpu::Buffer total;       ///< shared::CdfTotal
    gpu::Buffer plan;        ///< shared::CdfPlan of the last draw
    gpu::Buffer arguments;   ///< group counts of the last draw

    /// Number of indices drawn last: the requested number, or 0 if no weight is above 0.
    Word drawn() const { return {plan, 0}; }
};

/// Draws indices with probabilities proportional to integer weights, by inverting an exact cumulative distribution: u32 sums within tiles and u64
/// sums over tiles, without floats. So no weight above 0 is lost (32-bit floats lose 7 % of a million), none of 0 is drawn, and every device and
/// the host draw the same. Weights are clamped to shared::kCdfMaxWeight, 2^21 - 1, so that a tile's sum fits 32 bits; callers scale real weights.
class Cdf {
public:
    explicit Cdf(gpu::Device& device) : Cdf(device, bestGroupScan(device, Summing::cdf)) {}
    Cdf(gpu::Device& device, GroupScan variant) : device_(&device), variant_(variant) {}

    /// Bytes that `table` allocates for up to `capacity` weights; slightly more than four per weight.
    static uint64_t tableBytes(uint32_t capacity);
    CdfTable table(const std::string& name, uint32_t capacity) const;

    struct Build {
        gpu::BufferSlice weights;  ///< u32; 0 is never drawn
        const CdfTable& table;     ///< with at least the count's capacity
    };
    /// Records two dispatches over the first `count` weights; the second has a single group.
    void record(gpu::Commands& commands, const Build& build, const Count& count) const;

    struct Draw {
        const CdfTable& table;            ///< built; weights and count are not read again
        Word seed;                        ///< for shaders/lib/core/random.slang
        uint32_t stream = 0;              ///< random stream
        gpu::BufferSlice sources;         ///< u32 per draw: the index; unchanged from `table.drawn()` on
        gpu::BufferSlice multiplicities;  ///< u32 per weight of the table's capacity: number of draws; unchanged from the weights' count on
    };
    /// Records only what precedes draws: the plan in `table.plan` and `table.arguments`, and multiplicities of 0. For other drawing kernels.
    static void recordPlan(gpu::Commands& commands, const Draw& draw, const Count& draws);
    /// Systematic resampling (Madow 1949; Carpenter, Clifford, Fearnhead 1999): n draws in steps of S/n, S being the sum, from one random offset.
    /// Sources ascend, and index i is drawn floor(n w_i / S) or ceil(n w_i / S) times: the mean of independent draws with far less variance.
    /// Draws are not independent: for small n, neighbouring indices exclude each other.
    void recordSystematic(gpu::Commands& commands, const Draw& draw, const Count& draws) const;
    /// Independent draws with replacement, in no order. Probabilities are exact to 2^-64.
    void recordIndependent(gpu::Commands& commands, const Draw& draw, const Count& draws) const;

private:
    gpu::Device* device_;
    GroupScan variant_;
};

}  // namespace splat::primitives
