#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <splatwright/gpu/commands.h>

namespace splat::primitives {

/// One measurement: GPU times of a recording after warm-up, and whether its result was correct before timing.
struct BenchRow {
    std::string bench;    ///< sort-32, sort-16 (16-bit keys in memory), scan, compact, cdf-build, cdf-draw
    std::string variant;  ///< a row of the primitive's table
    uint32_t n = 0;
    double median_ms = 0;  ///< zeros if the device has no timestamps
    double min_ms = 0;
    double max_ms = 0;
    bool verified = false;
    std::string note;  ///< remark; often empty
};

struct BenchOptions {
    uint32_t runs = 21;  ///< timed runs; odd, so that the median is one of them
};

/// Pairs with 32-bit payload, each variant for this kind of device, the count on the GPU; verified against std::stable_sort.
std::vector<BenchRow> benchSort(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options = {});
/// Scan and compaction, the count on the GPU; verified against the CPU.
std::vector<BenchRow> benchScan(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options = {});

/// Building an exact cumulative distribution of opacity-like weights, and as many draws from it, the counts on the GPU; verified against
/// the CPU. Notes how many weights could never be drawn, here and from a distribution of floats.
std::vector<BenchRow> benchCdf(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options = {});

/// The work to measure: recorded once, run many times.
struct BenchWork {
    std::function<void(gpu::Commands&)> prepare;  ///< before each run, untimed
    std::function<void(gpu::Commands&)> work;
    std::function<bool()> verify;  ///< checks the first run's result; nothing is timed if it is wrong
};
/// Fills in the row's times, after three warm-up runs.
BenchRow measure(gpu::Device& device, const BenchOptions& options, BenchRow row, const BenchWork& bench);

}  // namespace splat::primitives
