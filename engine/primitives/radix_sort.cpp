#include <splatwright/primitives/radix_sort.h>

#include <algorithm>
#include <array>

#include <splatwright/primitives/sort_variants.h>
#include <splatwright/shared/dispatch.h>
#include "kernels/sort_histogram.h"
#include "kernels/sort_histogram_u16.h"
#include "kernels/sort_plan.h"
#include "kernels/sort_spine.h"
#include "kernels/sort_spine_portable.h"
#include "kernels/sort_spine_serial.h"

namespace splat::primitives {

namespace {

constexpr uint64_t kTotalsBytes = shared::kSortDigits * sizeof(uint32_t);

uint32_t tilesOf(uint32_t count, uint32_t tile) { return static_cast<uint32_t>((uint64_t{count} + tile - 1) / tile); }
/// Length of a digit's row of counts: whole memory sectors, but not a power of two of them, which would map all rows of a tile to few banks.
uint32_t rowLengthOf(uint32_t tiles) { return (tiles + 7) / 8 * 8 + 8; }

/// The first variant that sorts correctly; none: no variant does.
struct PickedVariant {
    const SortVariant* variant = nullptr;
    SortSelfTest test;
};

PickedVariant pickVariant(gpu::Device& device) {
    SortSelfTest result;
    const TunedFor own = device.isSoftware() ? TunedFor::software : TunedFor::gpu;
    for (const bool tunedForIt : {true, false}) {
        for (const SortVariant& variant : sortVariants()) {
            if (!variant.available(device) || (variant.tunedFor == own) != tunedForIt) continue;
            const std::string failure = testSortVariant(device, variant);
            if (!failure.empty()) {
                result.failures += fmt::format("{}: {}; ", variant.name, failure);
                continue;
            }
            result.variant = variant.name;
            result.passed = true;
            return {&variant, result};
        }
    }
    return {nullptr, result};
}

/// Records the kernels of a job's passes.
class Recorder {
public:
    Recorder(gpu::Commands& commands, const SortVariant& variant, const RadixSort::Job& job, const Count& count)
        : commands_(commands), variant_(variant), job_(job), count_(count) {
        tiles_ = tilesOf(count.atMost, variant.tile);
        rowLength_ = tiles_ > variant.fewTiles ? rowLengthOf(tiles_) : 0;
        if (count.onGpu() && tiles_ > variant.directTiles) arguments_ = job.scratch.arguments;
    }

    void plan() {
        if (!arguments_) return;
        commands_.dispatchGroups(kernels::sort_plan{.counts = count_.word.words(),
                                                    .arguments = arguments_,
                                                    .atMost = count_.atMost,
                                                    .countIndex = count_.index(),
                                                    .tile = variant_.tile},
                                 1);
    }

    void pass(uint32_t index) {
        const SortBuffers& b = job_.buffers;
        const bool fromA = index % 2 == 0;
        const uint32_t firstBit = job_.window.begin + 8 * index;
        const gpu::Buffer& h = job_.scratch.histograms;
        const SortPass pass{.keysIn = fromA ? b.keysA : b.keysB,
                            .payloadIn = fromA ? b.payloadA : b.payloadB,
                            .keysOut = fromA ? b.keysB : b.keysA,
                            .payloadOut = fromA ? b.payloadB : b.payloadA,
                            .histograms = h.slice(kTotalsBytes, static_cast<gpu::BufferSlice>(h).bytes - kTotalsBytes),
                            .digitTotals = h.slice(0, kTotalsBytes),
                            .counts = count_.words(b.payloadA),
                            .storage = job_.storage,
                            .atMost = count_.atMost,
                            .countIndex = count_.index(),
                            .rowLength = rowLength_,
                            .firstBit = firstBit,
                            .bits = std::min(8u, job_.window.end - firstBit)};
        if (tiles_ > 1) count(pass);
        if (rowLength_ > 0) sum(pass);
        variant_.scatter(commands_, pass, tiles_, arguments_);
    }

private:
    void count(const SortPass& pass) {
        job_.storage == KeyStorage::u32 ? histogram<kernels::sort_histogram>(pass) : histogram<kernels::sort_histogram_u16>(pass);
    }

    void sum(const SortPass& pass) {
        switch (variant_.spine) {
            case SortSpine::subgroup: spine<kernels::sort_spine>(pass, shared::kSortDigits); break;
            case SortSpine::portable: spine<kernels::sort_spine_portable>(pass, shared::kSortDigits); break;
            case SortSpine::serial: spine<kernels::sort_spine_serial>(pass, 1); break;
        }
    }

    template <class Kernel>
    void histogram(const SortPass& pass) {
        const Kernel kernel{.counts = pass.counts,
                            .keys = pass.keysIn,
                            .histograms = pass.histograms,
                            .atMost = pass.atMost,
                            .countIndex = pass.countIndex,
                            .tile = variant_.tile,
                            .rowLength = pass.rowLength,
                            .firstBit = pass.firstBit,
                            .bits = pass.bits};
        if (arguments_) {
            commands_.dispatchIndirect(kernel, arguments_);
        } else {
            commands_.dispatchGroups(kernel, tiles_);
        }
    }

    template <class Kernel>
    void spine(const SortPass& pass, uint32_t groups) {
        commands_.dispatchGroups(Kernel{.counts = pass.counts,
                                        .histograms = pass.histograms,
                                        .digitTotals = pass.digitTotals,
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
    gpu::BufferSlice arguments_{};
};

void check(const RadixSort::Job& job, const Count& count) {
    const uint64_t keyBytes = job.storage == KeyStorage::u32 ? 4 : 2;
    SPLAT_CHECK(job.window.begin <= job.window.end && job.window.end <= 8 * keyBytes, "bits [{}, {}) of {}-byte keys", job.window.begin,
                job.window.end, keyBytes);
    const uint64_t histogramBytes = static_cast<gpu::BufferSlice>(job.scratch.histograms).bytes;
    SPLAT_CHECK(histogramBytes >= RadixSort::requirements(count.atMost).histogramBytes, "{} bytes of scratch for {} keys", histogramBytes,
                count.atMost);
    for (const gpu::BufferSlice& keys : {job.buffers.keysA, job.buffers.keysB}) {
        SPLAT_CHECK(keys.bytes >= count.atMost * keyBytes, "{} keys in {} bytes", count.atMost, keys.bytes);
    }
    for (const gpu::BufferSlice& payload : {job.buffers.payloadA, job.buffers.payloadB}) {
        SPLAT_CHECK(payload.bytes >= uint64_t{count.atMost} * 4, "payload of {} keys in {} bytes", count.atMost, payload.bytes);
    }
}

}  // namespace

RadixSort::RadixSort(gpu::Device& device) : device_(&device) {
    const auto picked = device.known<PickedVariant>("self test of the sort", [&] { return pickVariant(device); });
    variant_ = picked->variant;
    selfTest_ = picked->test;
    if (!selfTest_.passed) throw Error("no radix sort gives right results on device '{}': {}", device.name(), selfTest_.failures);
}

RadixSort::RadixSort(gpu::Device& device, const SortVariant& variant) : device_(&device), variant_(&variant) {
    SPLAT_CHECK(variant.available(device), "sort variant '{}' on device '{}'", variant.name, device.name());
}

bool RadixSort::supports(KeyStorage storage) const { return storage == KeyStorage::u32 || device_->has(gpu::Feature::int16Storage); }

RadixSort::Requirements RadixSort::requirements(uint32_t capacity) {
    const uint64_t row = rowLengthOf(tilesOf(capacity, shared::kSortSmallestTile));
    return {.histogramBytes = kTotalsBytes + row * shared::kSortDigits * sizeof(uint32_t),
            .argumentBytes = sizeof(shared::DispatchArguments)};
}

SortScratch RadixSort::scratch(gpu::Device& device, const std::string& name, uint32_t capacity) {
    return {.histograms = device.buffer<uint32_t>(name + " histograms", requirements(capacity).histogramBytes / sizeof(uint32_t)),
            .arguments = device.buffer<shared::DispatchArguments>(name + " arguments", 1)};
}

void RadixSort::record(gpu::Commands& commands, const Job& job, const Count& count) const {
    check(job, count);
    const uint32_t passes = job.window.passes();
    if (passes == 0 || count.atMost == 0) return;
    Recorder recorder(commands, *variant_, job, count);
    recorder.plan();
    for (uint32_t p = 0; p < passes; ++p) recorder.pass(p);
}

}  // namespace splat::primitives
