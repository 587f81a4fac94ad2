#include <algorithm>
#include <numeric>

#include <splatwright/core/rng.h>
#include <splatwright/primitives/bench.h>
#include <splatwright/primitives/compact.h>

namespace splat::primitives {

namespace {

/// Random words on the GPU, and a buffer for as many results.
struct Input {
    Input(gpu::Device& device, uint32_t n)
        : values(n),
          from(device.buffer<uint32_t>("values", n)),
          to(device.buffer<uint32_t>("result", n)),
          words(device.buffer<uint32_t>("count, total", 2)) {
        Rng rng(n);
        const uint64_t most = UINT32_MAX / std::max(n, 1u);  // so that no sum is saturated
        for (uint32_t& v : values) v = static_cast<uint32_t>(rng.next() % 2 * (rng.next() % (most + 1)));
        device.upload(from, values);
        device.upload(words, std::vector<uint32_t>{n, 0});
    }
    Count count() const { return {static_cast<uint32_t>(values.size()), {words, 0}}; }
    Word total() const { return {words, 1}; }
    bool is(gpu::Device& device, const std::vector<uint32_t>& expected, uint32_t expectedTotal) const {
        return device.download<uint32_t>(to, expected.size()) == expected && device.download<uint32_t>(words, 2)[1] == expectedTotal;
    }

    std::vector<uint32_t> values;
    gpu::Buffer from, to, words;
};

/// Neither changes its input, so preparation only clears the result to detect a run without effect.
void spoil(gpu::Commands& commands, const Input& input) { commands.fill(input.to, 0xffffffff); }

BenchRow benchExclusive(gpu::Device& device, const BenchOptions& options, GroupScan variant, const Input& input, BenchRow row) {
    std::vector<uint32_t> sums(input.values.size());
    std::exclusive_scan(input.values.begin(), input.values.end(), sums.begin(), 0u);
    const uint32_t total = std::accumulate(input.values.begin(), input.values.end(), 0u);
    const ExclusiveScan scan(device, variant);
    const ScanScratch scratch = scan.scratch("bench", row.n);
    return measure(device, options, std::move(row),
                   {.prepare = [&](gpu::Commands& c) { spoil(c, input); },
                    .work =
                        [&](gpu::Commands& c) {
                            scan.record(c, {.values = input.from, .sums = input.to, .total = input.total(), .scratch = scratch},
                                        input.count());
                        },
                    .verify = [&] { return input.is(device, sums, total); }});
}

/// The same words as 64-bit numbers.
BenchRow benchWide(gpu::Device& device, const BenchOptions& options, GroupScan variant, const Input& input, BenchRow row) {
    const std::vector<uint64_t> values(input.values.begin(), input.values.end());
    std::vector<uint64_t> sums(values.size());
    std::exclusive_scan(values.begin(), values.end(), sums.begin(), uint64_t{0});
    const gpu::Buffer from = device.buffer<uint64_t>("numbers", row.n), to = device.buffer<uint64_t>("sums", row.n);
    const gpu::Buffer total = device.buffer<uint64_t>("total", 1);
    device.upload(from, values);
    const ExclusiveScan scan(device, variant);
    const ScanScratch scratch = scan.scratch("bench", row.n, ScanNumber::u64);
    return measure(device, options, std::move(row),
                   {.prepare = [&](gpu::Commands& c) { c.fill(to, 0xffffffff); },
                    .work =
                        [&](gpu::Commands& c) {
                            scan.record(c, {.values = from, .sums = to, .total = {total}, .scratch = scratch, .number = ScanNumber::u64},
                                        input.count());
                        },
                    .verify = [&] { return device.download<uint64_t>(to, sums.size()) == sums; }});
}

BenchRow benchCompaction(gpu::Device& device, const BenchOptions& options, GroupScan variant, const Input& input, BenchRow row) {
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < input.values.size(); ++i) {
        if (input.values[i] != 0) kept.push_back(i);
    }
    const Compaction compaction(device, variant);
    const ScanScratch scratch = compaction.scratch("bench", row.n);
    return measure(device, options, std::move(row),
                   {.prepare = [&](gpu::Commands& c) { spoil(c, input); },
                    .work =
                        [&](gpu::Commands& c) {
                            compaction.record(c, {.flags = input.from, .indices = input.to, .kept = input.total(), .scratch = scratch},
                                              input.count());
                        },
                    .verify = [&] { return input.is(device, kept, static_cast<uint32_t>(kept.size())); }});
}

}  // namespace

std::vector<BenchRow> benchScan(gpu::Device& device, const std::vector<uint32_t>& sizes, const BenchOptions& options) {
    std::vector<BenchRow> rows;
    for (const uint32_t n : sizes) {
        const Input input(device, n);
        for (const auto& [variant, name] : kGroupScans) {
            if (isAvailable(device, Summing::scan, variant))
                rows.push_back(benchExclusive(device, options, variant, input, {.bench = "scan", .variant = name, .n = n}));
            if (isAvailable(device, Summing::scan, variant))
                rows.push_back(benchWide(device, options, variant, input, {.bench = "scan-u64", .variant = name, .n = n}));
            if (isAvailable(device, Summing::compaction, variant))
                rows.push_back(benchCompaction(device, options, variant, input, {.bench = "compact", .variant = name, .n = n}));
        }
    }
    return rows;
}

}  // namespace splat::primitives
