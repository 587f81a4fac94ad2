#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/gpu/commands.h>

namespace splat::primitives {

/// One measurement: GPU times of a recording after warm-up, and whether its result was correct before timing.
struct BenchRow {
    std::string bench;     ///< sort-32, sort-16 (16-bit keys in memory), sort-classic, scan, compact, cdf-build, cdf-spread, cdf-draw,
                           ///< cdf-layers
    std::string variant;   ///< a row of the primitive's table
    uint32_t n = 0;        ///< items
    double median_ms = 0;  ///< zeros if the device has no timestamps
    double min_ms = 0;
    double max_ms = 0;
    bool verified = false;
    bool skipped = false;                     ///< not run, for the reason in the note
    std::string note;                         ///< remark; often empty
    std::string subject;                      ///< what the items belong to, such as a view; empty: random items
    std::optional<uint64_t> neverDrawn = {};  ///< weights above 0 that no draw from a cumulative distribution can give
};

struct BenchOptions {
    uint32_t runs = 21;      ///< timed runs; odd, so that the median is one of them
    double mostMs = 10'000;  ///< of a run: benchClassic skips sizes, and benchAccumulation methods, that would take longer
};

/// Pairs with 32-bit payload, each variant for this kind of device, the count on the GPU; verified against std::stable_sort.
std::vector<BenchRow> benchSort(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options = {});
/// Sorts of keys by classic algorithms on the CPU and the GPU, and by RadixSort; sizes in ascending order, each algorithm as far as a run takes no
/// longer than `mostMs`. Verified against std::stable_sort.
std::vector<BenchRow> benchClassic(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options = {});
/// Scan and compaction, the count on the GPU; verified against the CPU.
std::vector<BenchRow> benchScan(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options = {});

/// Building an exact cumulative distribution of opacity-like weights, and as many draws from it, the counts on the GPU; verified against
/// the CPU; beside it one of floats, and layers of groups. The same for weights spread evenly over six decades (cdf-spread). Notes how many
/// weights could never be drawn.
std::vector<BenchRow> benchCdf(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options = {});

/// Draws without replacement of a tenth of the items, whose weights are above 0; verified against the keys on the CPU.
BenchRow benchDistinctDraws(gpu::Device& device, const std::vector<float>& weights, const BenchOptions& options = {});

/// The work to measure: recorded once, run many times.
struct BenchWork {
    std::function<void(gpu::Commands&)> prepare;  ///< before each run, untimed
    std::function<void(gpu::Commands&)> work;
    std::function<bool()> verify;  ///< checks the first run's result; nothing is timed if it is wrong
};
/// Fills in the row's median, minimum and maximum of an odd number of times.
void summarise(std::vector<double> times, BenchRow& row);
/// Fills in the row's times by calling `run`, which returns milliseconds, after up to three warm-up runs.
void timeRuns(gpu::Device& device, uint32_t runs, BenchRow& row, const std::function<double()>& run);
/// Verifies, then times.
BenchRow measure(gpu::Device& device, const BenchOptions& options, BenchRow row, const BenchWork& bench);

}  // namespace splat::primitives
