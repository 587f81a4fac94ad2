#include <splatwright/primitives/group_scan.h>

#include <algorithm>
#include <array>
#include <vector>

#include <splatwright/core/rng.h>
#include <splatwright/primitives/cdf.h>
#include <splatwright/primitives/compact.h>
#include <splatwright/primitives/forward_progress.h>
#include <splatwright/primitives/subgroup_choice.h>
#include "kernels/compact_lookback.h"
#include "kernels/scan_lookback.h"
#include "kernels/scan_lookback_u64.h"
#include "kernels/scan_write.h"

namespace splat::primitives {

namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t kTile = shared::kScanTile, kLookBackTile = shared::kLookBackTile;
constexpr uint32_t kMost = 3 * std::max(kTile, kLookBackTile) + 77;  // three groups and more
constexpr uint32_t kSizes[] = {1, 255, kTile, kTile + 1, kLookBackTile, kLookBackTile + 1, kMost};

/// Where the results of a size begin, in words: a multiple of 64, where buffers may be bound. That of no size is the number of words.
constexpr size_t startOf(size_t size) {
    size_t start = 0;
    for (size_t i = 0; i < size; ++i) start += (size_t{kSizes[i]} + 63) / 64 * 64;
    return start;
}

/// Words of all sizes: values that saturate, values that carry between the halves of a word, small ones and zeros.
Words testWords(uint32_t bits) {
    Rng rng(bits);
    Words words(kMost);
    for (uint32_t& w : words) w = static_cast<uint32_t>(rng.next() & rng.next() & ((uint64_t{1} << bits) - 1));
    return words;
}

uint32_t saturated(uint64_t sum) { return static_cast<uint32_t>(std::min<uint64_t>(sum, UINT32_MAX)); }

std::string differs(uint32_t size, const char* what, size_t at, uint64_t found, uint64_t expected) {
    return fmt::format("{} words: {} {} is {}, expected {}", size, what, at, found, expected);
}

/// Input, result and total of all sizes, one after another in one buffer; all run in one submission.
struct Bench {
    Bench(gpu::Device& d, uint32_t bits)
        : device(d),
          input(testWords(bits)),
          from(d.buffer<uint32_t>("self test words", kMost)),
          to(d.buffer<uint32_t>("self test result", startOf(std::size(kSizes)))),
          told(d.buffer<uint32_t>("self test totals", std::size(kSizes))) {
        d.upload(from, input);
    }
    /// `record(commands, count, result, total)` for every size.
    template <class Record>
    void run(Record record) {
        device.run("self test", [&](gpu::Commands& c) {
            for (uint32_t i = 0; i < std::size(kSizes); ++i)
                record(c, Count{kSizes[i]}, gpu::BufferSlice(to.slice(startOf(i) * sizeof(uint32_t), kSizes[i] * sizeof(uint32_t))),
                       Word{told, i});
        });
        results = device.download<uint32_t>(to, startOf(std::size(kSizes)));
        totals = device.download<uint32_t>(told, std::size(kSizes));
    }

    gpu::Device& device;
    Words input;
    gpu::Buffer from, to, told;
    Words results, totals;
};

/// Numbers whose sums carry between words and wrap around.
std::string testWideScan(gpu::Device& device, GroupScan variant, uint32_t polls) {
    const ExclusiveScan scan(device, variant, polls);
    const ScanScratch scratch = scan.scratch("self test", kMost, ScanNumber::u64);
    const gpu::Buffer from = device.buffer<uint64_t>("self test numbers", kMost), to = device.buffer<uint64_t>("self test sums", kMost);
    const gpu::Buffer total = device.buffer<uint64_t>("self test total", 1);
    Rng rng(64);
    std::vector<uint64_t> input(kMost);
    for (uint64_t& number : input) number = rng.next();
    device.upload(from, input);
    device.run("self test", [&](gpu::Commands& c) {
        scan.record(c, {.values = from, .sums = to, .total = {total}, .scratch = scratch, .number = ScanNumber::u64}, Count{kMost});
    });
    const auto sums = device.download<uint64_t>(to, kMost);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < kMost; sum += input[k++])
        if (sums[k] != sum) return differs(kMost, "64-bit sum", k, sums[k], sum);
    const uint64_t found = device.download<uint64_t>(total, 1)[0];
    return found == sum ? "" : differs(kMost, "64-bit total", 0, found, sum);
}

std::string testScan(gpu::Device& device, GroupScan variant, uint32_t polls) {
    const ExclusiveScan scan(device, variant, polls);
    const ScanScratch scratch = scan.scratch("self test", kMost);
    for (const uint32_t bits : {20u, 32u}) {
        Bench b(device, bits);
        b.run([&](gpu::Commands& c, const Count& count, const gpu::BufferSlice& to, const Word& total) {
            scan.record(c, {.values = b.from, .sums = to, .total = total, .scratch = scratch}, count);
        });
        for (size_t i = 0; i < std::size(kSizes); ++i) {
            uint64_t sum = 0;
            for (uint32_t k = 0; k < kSizes[i]; sum += b.input[k++]) {
                const uint32_t found = b.results[startOf(i) + k];
                if (found != saturated(sum)) return differs(kSizes[i], "sum", k, found, saturated(sum));
            }
            if (b.totals[i] != saturated(sum)) return differs(kSizes[i], "total", i, b.totals[i], saturated(sum));
        }
    }
    return testWideScan(device, variant, polls);
}

std::string testCompaction(gpu::Device& device, GroupScan variant, uint32_t polls) {
    const Compaction compaction(device, variant, polls);
    const ScanScratch scratch = compaction.scratch("self test", kMost);
    Bench b(device, 2);
    b.run([&](gpu::Commands& c, const Count& count, const gpu::BufferSlice& to, const Word& kept) {
        compaction.record(c, {.flags = b.from, .indices = to, .kept = kept, .scratch = scratch}, count);
    });
    for (size_t i = 0; i < std::size(kSizes); ++i) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < kSizes[i]; ++k) {
            if (b.input[k] == 0) continue;
            const uint32_t found = b.results[startOf(i) + kept];
            if (found != k) return differs(kSizes[i], "index", kept, found, k);
            ++kept;
        }
        if (b.totals[i] != kept) return differs(kSizes[i], "number kept", i, b.totals[i], kept);
    }
    return "";
}

std::string testCdf(gpu::Device& device, GroupScan variant) {
    const Cdf cdf(device, variant);
    for (const uint32_t size : kSizes) {
        const Words weights = testWords(21);
        const gpu::Buffer from = device.buffer<uint32_t>("self test weights", kMost);
        device.upload(from, weights);
        const CdfTable table = cdf.table("self test", size);
        device.run("self test", [&](gpu::Commands& c) { cdf.record(c, {.weights = from, .table = table}, Count{size}); });
        const Words sums = device.download<uint32_t>(table.sums, size);
        const auto starts = device.download<uint64_t>(table.tileStarts, (size + shared::kCdfTile - 1) / shared::kCdfTile);
        uint64_t sum = 0;
        for (uint32_t k = 0; k < size; ++k) {
            sum += weights[k];
            const uint64_t found = starts[k / shared::kCdfTile] + sums[k];
            if (found != sum) return differs(size, "sum", k, found, sum);
        }
    }
    return "";
}

/// The rows of kGroupScans. Dispatches cost software devices little, and the state of a tile much; they take two passes first.
std::array<std::pair<GroupScan, const char*>, std::size(kGroupScans)> inOrderOfSpeed(const gpu::Device& device) {
    auto rows = std::to_array(kGroupScans);
    if (device.isSoftware()) std::ranges::stable_partition(rows, [](const auto& row) { return row.first != GroupScan::lookBack; });
    return rows;
}

bool hasVariant(Summing primitive, GroupScan variant) { return primitive != Summing::cdf || variant != GroupScan::lookBack; }

/// Tests a variant that the device can run if none has passed before. Returns why it is selected or not.
std::string tryVariant(gpu::Device& device, Summing primitive, GroupScan variant, GroupScanSelfTest& result) {
    if (const std::string missing = missingFor(device, primitive, variant); !missing.empty()) return "needs " + missing;
    if (result.passed)
        return fmt::format("not tried, because {} comes first on {}", kGroupScans[static_cast<size_t>(result.variant)].second,
                           device.isSoftware() ? "software devices" : "GPUs");
    const std::string failure = testGroupScan(device, primitive, variant);
    result.variant = variant;
    result.passed = failure.empty();
    if (result.passed) return "correct results";
    result.failures += fmt::format("{}: {}; ", kGroupScans[static_cast<size_t>(variant)].second, failure);
    return "wrong result: " + failure;
}

GroupScanSelfTest pick(gpu::Device& device, Summing primitive) {
    settleSubgroupSize(device);
    GroupScanSelfTest result;
    for (const auto& [variant, name] : inOrderOfSpeed(device)) {
        if (!hasVariant(primitive, variant)) continue;
        const bool before = result.passed;
        std::string reason = tryVariant(device, primitive, variant, result);
        result.choices.push_back({name, result.passed && !before, std::move(reason)});
    }
    return result;
}

std::vector<const gpu::KernelInfo*> lookBackKernels(Summing primitive) {
    if (primitive == Summing::compaction) return {&kernels::compact_lookback::info()};
    return {&kernels::scan_lookback::info(), &kernels::scan_lookback_u64::info()};
}

const char* nameOf(Summing primitive) { return kSummings[static_cast<size_t>(primitive)].second; }

}  // namespace

std::string missingFor(gpu::Device& device, Summing primitive, GroupScan variant) {
    SPLAT_CHECK(hasVariant(primitive, variant), "variant '{}' of '{}'", kGroupScans[static_cast<size_t>(variant)].second,
                nameOf(primitive));
    if (variant == GroupScan::portable) return "";
    if (variant == GroupScan::subgroup)
        return gpu::missingFor(device, kernels::scan_write::info());  // the others' requirements are the same
    std::string missing = missingForwardProgress(device);
    for (const gpu::KernelInfo* kernel : lookBackKernels(primitive)) {
        if (missing.empty()) missing = gpu::missingFor(device, *kernel);
    }
    return missing;
}

bool isAvailable(gpu::Device& device, Summing primitive, GroupScan variant) {
    return hasVariant(primitive, variant) && missingFor(device, primitive, variant).empty();
}

std::string testGroupScan(gpu::Device& device, Summing primitive, GroupScan variant) {
    constexpr uint32_t kPolls = shared::kLookBackPolls;
    const auto test = [&](GroupScan tested, uint32_t polls) -> std::string {
        switch (primitive) {
            case Summing::scan: return testScan(device, tested, polls);
            case Summing::compaction: return testCompaction(device, tested, polls);
            case Summing::cdf: return testCdf(device, tested);
        }
        return "unknown primitive";
    };
    if (variant != GroupScan::lookBack) return test(variant, kPolls);
    // Calls without states take two passes, and a group that finds no state sums a tile again.
    std::string failure = test(GroupScan::subgroup, kPolls);
    if (failure.empty()) failure = test(GroupScan::lookBack, 0);
    return failure.empty() ? test(GroupScan::lookBack, kPolls) : failure;
}

std::shared_ptr<const GroupScanSelfTest> groupScanSelfTest(gpu::Device& device, Summing primitive) {
    return device.known<GroupScanSelfTest>(fmt::format("self test of {}", nameOf(primitive)), [&] { return pick(device, primitive); });
}

GroupScan bestGroupScan(gpu::Device& device, Summing primitive) {
    const auto test = groupScanSelfTest(device, primitive);
    if (!test->passed) throw Error("no {} gives right results on device '{}': {}", nameOf(primitive), device.name(), test->failures);
    return test->variant;
}

}  // namespace splat::primitives
