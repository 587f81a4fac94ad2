#pragma once

#include <cstdint>

#include <splatwright/gpu/commands.h>

namespace splat {

/// Finds the 1st and the 99th percentile of numbers on the GPU, exactly: by their digits, from the first on. One search at a time.
class Percentiles {
public:
    explicit Percentiles(gpu::Device& device);

    /// numbers: `count` floats, of which those that are negative or not finite count as none. range receives two words, the numbers' bits: that below which
    /// a hundredth of all others lie (0 if fromZero), and that above which as many lie; ~0 and 0 if there are none.
    void record(gpu::Commands& commands, gpu::BufferSlice numbers, uint32_t count, gpu::BufferSlice range, bool fromZero) const;

private:
    gpu::Buffer bins_, search_;
};

}  // namespace splat
