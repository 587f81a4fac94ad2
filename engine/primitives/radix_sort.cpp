#include <splatwright/primitives/radix_sort.h>

#include <algorithm>
#include <array>

#include <splatwright/primitives/sort_variants.h>
#include <splatwright/primitives/subgroup_choice.h>
#include <splatwright/shared/dispatch.h>
#include "kernels/sort_digits.h"
#include "kernels/sort_digits_u16.h"
#include "kernels/sort_histogram.h"
#include "kernels/sort_histogram_u16.h"
#include "kernels/sort_plan.h"
#include "kernels/sort_spine.h"
#include "kernels/sort_spine_portable.h"
#include "kernels/sort_spine_serial.h"

namespace splat::primitives {

namespace {

uint32_t tilesOf(uint32_t count, uint32_t tile) { return static_cast<uint32_t>((uint64_t{count} + tile - 1) / tile); }
/// Length of a digit's row of counts: whole memory sectors, but not a power of two of them, which would map all rows of a tile to few banks.
uint32_t rowLengthOf(uint32_t tiles) { return (tiles + 7) / 8 * 8 + 8; }

/// The first variants that sort correctly, with ascending capacities; none sorts any number: the device has none.
struct PickedVariants {
    std::vector<const SortVariant*> variants;
    SortSelfTest test;

    bool covers(uint32_t capacity) const { return !variants.empty() && variants.back()->best >= capacity; }
};

/// Tests a variant that the device can run and that sorts more pairs than the picked ones. Returns why it is picked or not.
std::string tryVariant(gpu::Device& device, const SortVariant& variant, PickedVariants& picked) {
    if (const std::string missing = variant.missing(device); !missing.empty()) return "needs " + missing;
    if (picked.covers(variant.best)) return "not tried, because selected variants sort as many pairs";
    std::string failure = testSortVariant(device, variant);
    if (failure.empty() && variant.spine == SortSpine::lookBack) {
        SortVariant alone = variant;  // groups count all tiles before them themselves, which happens seldom and on few devices
        alone.lookBack = {.polls = 0, .silent = UINT32_MAX};
        failure = testSortVariant(device, alone);
    }
    if (!failure.empty()) {
        picked.test.failures += fmt::format("{}: {}; ", variant.name, failure);
        return "wrong result: " + failure;
    }
    picked.test.variant += fmt::format("{}{}", picked.variants.empty() ? "" : ", ", variant.name);
    picked.variants.push_back(&variant);
    return variant.best == UINT32_MAX ? "correct results, for any number of pairs"
                                      : fmt::format("correct results, for up to {} pairs", variant.best);
}

PickedVariants pickVariants(gpu::Device& device) {
    settleSubgroupSize(device);
    PickedVariants picked;
    const TunedFor own = device.isSoftware() ? TunedFor::software : TunedFor::gpu;
    for (const bool tunedForIt : {true, false}) {
        for (const SortVariant& variant : sortVariants()) {
            if ((variant.tunedFor == own) != tunedForIt) continue;
            const size_t before = picked.variants.size();
            std::string reason = tryVariant(device, variant, picked);
            picked.test.choices.push_back({std::string(variant.name), picked.variants.size() > before, std::move(reason)});
        }
    }
    picked.test.passed = picked.covers(UINT32_MAX);
    return picked;
}

/// Records the kernels of a job's passes.
class Recorder {
public:
    Recorder(gpu::Commands& commands, const SortVariant& variant, const RadixSort::Job& job, const Count& count)
        : commands_(commands), variant_(variant), job_(job), count_(count) {
        tiles_ = tilesOf(count.atMost, variant.tile);
        rowLength_ = variant.spine != SortSpine::lookBack && tiles_ > variant.fewTiles ? rowLengthOf(tiles_) : 0;
        if (count.onGpu() && tiles_ > variant.directTiles) arguments_ = job.scratch.arguments;
        looksBack_ = tiles_ > 1 && variant.spine == SortSpine::lookBack;
        counters_ = job.zeros ? job.zeros : gpu::BufferSlice(job.scratch.counters);
    }

    void begin() {
        if (looksBack_ && !job_.zeros) commands_.fill(counters_, 0);
        plan();
        if (!looksBack_) return;
        job_.storage == KeyStorage::u32 ? digits<kernels::sort_digits>() : digits<kernels::sort_digits_u16>();
    }

    void pass(uint32_t index) {
        const SortBuffers& b = job_.buffers;
        const bool fromA = index % 2 == 0;
        const uint32_t firstBit = job_.window.begin + job_.window.digitBits() * index;
        const SortPass pass{.keysIn = fromA ? b.keysA : b.keysB,
                            .payloadIn = fromA ? b.payloadA : b.payloadB,
                            .keysOut = fromA ? b.keysB : b.keysA,
                            .payloadOut = fromA ? b.payloadB : b.payloadA,
                            .histograms = job_.scratch.histograms,
                            .counts = count_.words(b.payloadA),
                            .counters = counters_,
                            .storage = job_.storage,
                            .atMost = count_.atMost,
                            .countIndex = count_.index(),
                            .index = index,
                            .rowLength = rowLength_,
                            .firstBit = firstBit,
                            .bits = std::min(job_.window.digitBits(), job_.window.end - firstBit)};
        if (tiles_ > 1 && !looksBack_) count(pass);
        if (rowLength_ > 0) sum(pass);
        variant_.scatter(commands_, variant_, pass, tiles_, arguments_);
    }

private:
    void plan() {
        if (!arguments_) return;
        commands_.dispatchGroups(kernels::sort_plan{.counts = count_.word.words(),
                                                    .arguments = arguments_,
                                                    .atMost = count_.atMost,
                                                    .countIndex = count_.index(),
                                                    .tile = variant_.tile},
                                 1);
    }

    void count(const SortPass& pass) {
        job_.storage == KeyStorage::u32 ? histogram<kernels::sort_histogram>(pass) : histogram<kernels::sort_histogram_u16>(pass);
    }

    void sum(const SortPass& pass) {
        switch (variant_.spine) {
            case SortSpine::subgroup: spine<kernels::sort_spine>(pass, shared::kSortDigits); break;
            case SortSpine::portable: spine<kernels::sort_spine_portable>(pass, shared::kSortDigits); break;
            case SortSpine::lookBack: break;
            case SortSpine::serial: spine<kernels::sort_spine_serial>(pass, 1); break;
        }
    }

    template <class Kernel>
    void digits() {
        const uint32_t groups = std::min(tilesOf(count_.atMost, shared::kSortSmallestTile), shared::kSortDigitGroups);
        commands_.dispatchGroups(Kernel{.counts = count_.words(job_.buffers.payloadA),
                                        .keys = job_.buffers.keysA,
                                        .counters = counters_,
                                        .states = job_.scratch.histograms,
                                        .atMost = count_.atMost,
                                        .countIndex = count_.index(),
                                        .groups = groups,
                                        .tile = variant_.tile,
                                        .begin = job_.window.begin,
                                        .end = job_.window.end,
                                        .bits = job_.window.digitBits()},
                                 groups);
    }

    template <class Kernel>
    void histogram(const SortPass& pass) {
        dispatchTiles(commands_,
                      Kernel{.counts = pass.counts,
                             .keys = pass.keysIn,
                             .histograms = pass.histograms,
                             .atMost = pass.atMost,
                             .countIndex = pass.countIndex,
                             .tile = variant_.tile,
                             .rowLength = pass.rowLength,
                             .firstBit = pass.firstBit,
                             .bits = pass.bits},
                      tiles_, arguments_);
    }

    template <class Kernel>
    void spine(const SortPass& pass, uint32_t groups) {
        commands_.dispatchGroups(Kernel{.counts = pass.counts,
                                        .histograms = pass.histograms,
                                        .digitTotals = pass.counters,
                                        .atMost = pass.atMost,
                                        .countIndex = pass.countIndex,
                                        .tile = variant_.tile,
                                        .rowLength = pass.rowLength},
                                 groups);
    }

    gpu::Commands& commands_;
    const SortVariant& variant_;
    const RadixSort::Job& job_;
    const Count& count_;
    uint32_t tiles_ = 0;      // of the capacity
    uint32_t rowLength_ = 0;  // as in SortPass
    bool looksBack_ = false;
    gpu::BufferSlice arguments_{};
    gpu::BufferSlice counters_{};
};

void check(const RadixSort::Job& job, const Count& count) {
    const uint64_t keyBytes = job.storage == KeyStorage::u32 ? 4 : 2;
    SPLAT_CHECK(job.window.begin <= job.window.end && job.window.end <= 8 * keyBytes, "bits [{}, {}) of {}-byte keys", job.window.begin,
                job.window.end, keyBytes);
    const uint64_t histogramBytes = static_cast<gpu::BufferSlice>(job.scratch.histograms).bytes;
    SPLAT_CHECK(histogramBytes >= RadixSort::requirements(count.atMost).histogramBytes, "{} bytes of scratch for {} keys", histogramBytes,
                count.atMost);
    SPLAT_CHECK(!job.zeros || job.zeros.bytes >= RadixSort::requirements(0).counterBytes, "{} bytes of zeros", job.zeros.bytes);
    for (const gpu::BufferSlice& keys : {job.buffers.keysA, job.buffers.keysB}) {
        SPLAT_CHECK(keys.bytes >= count.atMost * keyBytes, "{} keys in {} bytes", count.atMost, keys.bytes);
    }
    for (const gpu::BufferSlice& payload : {job.buffers.payloadA, job.buffers.payloadB}) {
        SPLAT_CHECK(payload.bytes >= uint64_t{count.atMost} * 4, "payload of {} keys in {} bytes", count.atMost, payload.bytes);
    }
}

}  // namespace

RadixSort::RadixSort(gpu::Device& device) : device_(&device) {
    const auto picked = device.known<PickedVariants>("self test of the sort", [&] { return pickVariants(device); });
    variants_ = picked->variants;
    selfTest_ = picked->test;
    if (!selfTest_.passed) throw Error("no radix sort gives right results on device '{}': {}", device.name(), selfTest_.failures);
}

RadixSort::RadixSort(gpu::Device& device, const SortVariant& variant) : device_(&device), variants_{&variant} {
    SPLAT_CHECK(variant.available(device), "sort variant '{}' on device '{}'", variant.name, device.name());
}

const SortVariant& RadixSort::variantFor(uint32_t capacity) const {
    const auto found = std::ranges::find_if(variants_, [&](const SortVariant* variant) { return capacity <= variant->best; });
    return found == variants_.end() ? *variants_.back() : **found;
}

bool RadixSort::supports(KeyStorage storage) const { return storage == KeyStorage::u32 || device_->has(gpu::Feature::int16Storage); }

RadixSort::Requirements RadixSort::requirements(uint32_t capacity) {
    const uint64_t row = rowLengthOf(tilesOf(capacity, shared::kSortSmallestTile));
    return {.histogramBytes = row * shared::kSortDigits * sizeof(uint32_t),
            .counterBytes = shared::kSortCounters * sizeof(uint32_t),
            .argumentBytes = sizeof(shared::DispatchArguments)};
}

SortScratch RadixSort::scratch(gpu::Device& device, const std::string& name, uint32_t capacity) {
    return {.histograms = device.buffer<uint32_t>(name + " histograms", requirements(capacity).histogramBytes / sizeof(uint32_t)),
            .counters = device.buffer<uint32_t>(name + " counters", shared::kSortCounters),
            .arguments = device.buffer<shared::DispatchArguments>(name + " arguments", 1)};
}

void RadixSort::record(gpu::Commands& commands, const Job& job, const Count& count) const {
    check(job, count);
    const uint32_t passes = job.window.passes();
    if (passes == 0 || count.atMost == 0) return;
    const SortVariant& variant = variantFor(count.atMost);
    SPLAT_CHECK(variant.sorts(count.atMost), "sort variant '{}' with {} pairs", variant.name, count.atMost);
    Recorder recorder(commands, variant, job, count);
    recorder.begin();
    for (uint32_t p = 0; p < passes; ++p) recorder.pass(p);
}

}  // namespace splat::primitives
