#include <splatwright/primitives/subgroup_choice.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <tuple>

#include <splatwright/core/rng.h>
#include <splatwright/primitives/group_scan.h>
#include <splatwright/primitives/scan.h>
#include <splatwright/primitives/sort_variants.h>

namespace splat::primitives {

namespace {

constexpr uint32_t kItems = 1u << 18u, kRuns = 5;
constexpr std::array<uint32_t, 3> kGroup{shared::kScanThreads, 1, 1};  // of sorts and scans

/// The first variant with subgroup operations that the device can run, or none.
const SortVariant* sortWithSubgroups(gpu::Device& device) {
    const auto isOne = [&](const SortVariant& variant) {
        return (variant.spine == SortSpine::lookBack || variant.spine == SortSpine::subgroup) && variant.available(device);
    };
    const auto found = std::ranges::find_if(sortVariants(), isOne);
    return found == sortVariants().end() ? nullptr : &*found;
}

double millisecondsOf(const std::function<void()>& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// The least of some runs, with what submitting takes, which is the same at every size.
double timeSize(gpu::Device& device, uint32_t size) {
    const gpu::SubgroupTrial trial(size);
    const auto buffer = [&](const char* name) { return device.buffer<uint32_t>(name, kItems); };
    const gpu::Buffer keysA = buffer("trial keys A"), itemsA = buffer("trial items A"), keysB = buffer("trial keys B"),
                      itemsB = buffer("trial items B"), total = device.buffer<uint32_t>("trial total", 1);
    Rng rng(size);
    std::vector<uint32_t> keys(kItems);
    for (uint32_t& key : keys) key = static_cast<uint32_t>(rng.next());
    device.upload(keysA, keys);
    const SortVariant* variant = sortWithSubgroups(device);
    const SortScratch sortScratch = RadixSort::scratch(device, "trial", kItems);
    const ExclusiveScan scan(device, GroupScan::subgroup);
    const ScanScratch scanScratch = scan.scratch("trial", kItems);
    const SortBuffers buffers{keysA, itemsA, keysB, itemsB};
    double least = 0;
    for (uint32_t run = 0; run <= kRuns; ++run) {  // the first one compiles the kernels
        const double time = millisecondsOf([&] {
            device.run("subgroup trial", [&](gpu::Commands& c) {
                if (variant) RadixSort(device, *variant).record(c, {.buffers = buffers, .window = {}, .scratch = sortScratch}, {kItems});
                scan.record(c, {.values = keysA, .sums = keysB, .total = {total}, .scratch = scanScratch}, {kItems});
            });
        });
        least = run <= 1 ? time : std::min(least, time);
    }
    return least;
}

}  // namespace

SubgroupChoice chooseSubgroupSize(std::span<const uint32_t> sizes, const SubgroupTrials& trials) {
    SubgroupChoice choice;
    if (sizes.size() == 1) return {sizes[0], {{std::to_string(sizes[0]), true, "the only size that the device offers"}}};
    double best = 0;
    for (const uint32_t size : sizes) {
        VariantChoice row{std::to_string(size), false, ""};
        try {
            if (const std::string failure = trials.test(size); !failure.empty()) throw Error("{}", failure);
            const double time = trials.time(size);
            row.reason = fmt::format("correct results, {:.3f} ms for a sort and a scan", time);
            if (choice.size == 0 || time < best) std::tie(choice.size, best) = std::pair(size, time);
        } catch (const Error& problem) {
            row.reason = fmt::format("wrong result: {}", problem.what());
        }
        choice.choices.push_back(row);
    }
    for (VariantChoice& row : choice.choices) row.selected = row.variant == std::to_string(choice.size);
    return choice;
}

SubgroupTrials subgroupTrials(gpu::Device& device) {
    const auto test = [&device](uint32_t size) {
        const gpu::SubgroupTrial trial(size);
        std::string failure;
        if (const SortVariant* sort = sortWithSubgroups(device)) failure = testSortVariant(device, *sort);
        for (const auto& [primitive, name] : kSummings) {
            if (failure.empty() && isAvailable(device, primitive, GroupScan::subgroup))
                failure = testGroupScan(device, primitive, GroupScan::subgroup);
        }
        return failure;
    };
    return {.test = test, .time = [&device](uint32_t size) { return timeSize(device, size); }};
}

std::shared_ptr<const SubgroupChoice> settleSubgroupSize(gpu::Device& device) {
    return device.known<SubgroupChoice>("choice of the subgroup size", [&]() -> SubgroupChoice {
        if (!missingFor(device, gpu::Feature::subgroupOperations).empty() || !missingFor(device, gpu::Feature::subgroupSizeControl).empty())
            return {};
        SubgroupChoice choice = chooseSubgroupSize(offeredSubgroupSizes(device.subgroupSizes(), kGroup), subgroupTrials(device));
        device.preferSubgroupSize(choice.size);
        return choice;
    });
}

}  // namespace splat::primitives
