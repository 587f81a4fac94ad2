#pragma once

#include <string>

#include <splatwright/primitives/scan.h>

namespace splat::primitives {

/// A cumulative distribution of 32-bit floats, which Cdf is compared to (`bench cdf`): weights whose sum rounds to the one before are never drawn.
struct FloatCdfTable {
    gpu::Buffer sums;        ///< float per weight: inclusive sum from the start of its tile of shared::kCdfTile weights
    gpu::Buffer tileStarts;  ///< float per tile: the sum of all weights before it
};

FloatCdfTable floatCdfTable(gpu::Device& device, const std::string& name, uint32_t capacity);

struct FloatCdfBuild {
    gpu::BufferSlice weights;  ///< u32; larger ones than shared::kCdfMaxWeight count as that
    const FloatCdfTable& table;
    GroupScan variant;  ///< subgroup or portable, as for Cdf
};

/// Records the dispatches of Cdf over the first `count` weights.
void recordFloatCdf(gpu::Commands& commands, const FloatCdfBuild& build, const Count& count);

}  // namespace splat::primitives
