#include <splatwright/primitives/sort_variants.h>

#include <algorithm>

#include <splatwright/primitives/forward_progress.h>

#include "kernels/sort_onesweep256x16.h"
#include "kernels/sort_onesweep256x16_u16.h"
#include "kernels/sort_onesweep256x20.h"
#include "kernels/sort_onesweep256x20_u16.h"
#include "kernels/sort_onesweep256x8.h"
#include "kernels/sort_onesweep256x8_u16.h"
#include "kernels/sort_scatter_ballot256x16.h"
#include "kernels/sort_scatter_ballot256x16_u16.h"
#include "kernels/sort_scatter_ballot256x8.h"
#include "kernels/sort_scatter_ballot256x8_u16.h"
#include "kernels/sort_scatter_portable16.h"
#include "kernels/sort_scatter_portable16_u16.h"
#include "kernels/sort_scatter_portable8.h"
#include "kernels/sort_scatter_portable8_u16.h"

namespace splat::primitives {

namespace {

template <class Kernel>
Kernel scatterKernel(const SortVariant&, const SortPass& p) {
    return {.histograms = p.histograms,
            .digitTotals = p.counters,
            .counts = p.counts,
            .keysIn = p.keysIn,
            .payloadIn = p.payloadIn,
            .keysOut = p.keysOut,
            .payloadOut = p.payloadOut,
            .atMost = p.atMost,
            .countIndex = p.countIndex,
            .rowLength = p.rowLength,
            .firstBit = p.firstBit,
            .bits = p.bits};
}

template <class Kernel>
Kernel sweepKernel(const SortVariant& variant, const SortPass& p) {
    return {.counts = p.counts,
            .keysIn = p.keysIn,
            .payloadIn = p.payloadIn,
            .keysOut = p.keysOut,
            .payloadOut = p.payloadOut,
            .counters = p.counters,
            .states = p.histograms,
            .atMost = p.atMost,
            .countIndex = p.countIndex,
            .pass = p.index,
            .firstBit = p.firstBit,
            .bits = p.bits,
            .polls = variant.lookBack.polls,
            .silent = variant.lookBack.silent,
            .alone = variant.lookBack.alone,
            .kRankedBits = p.bits <= 6 ? 6u : 8u};
}

/// Dispatches the kernel for the pass's keys, which one of two functions makes.
template <auto make32, auto make16>
void record(gpu::Commands& commands, const SortVariant& variant, const SortPass& pass, uint32_t groups, const gpu::BufferSlice& arguments) {
    if (pass.storage == KeyStorage::u32) {
        dispatchTiles(commands, make32(variant, pass), groups, arguments);
    } else {
        dispatchTiles(commands, make16(variant, pass), groups, arguments);
    }
}

template <class Kernel32, class Kernel16>
constexpr auto scatter = record<scatterKernel<Kernel32>, scatterKernel<Kernel16>>;
template <class Kernel32, class Kernel16>
constexpr auto sweep = record<sweepKernel<Kernel32>, sweepKernel<Kernel16>>;

template <class Kernel>
std::string forKernel(gpu::Device& device) {
    return gpu::missingFor(device, Kernel::info());
}
/// Groups would count the tiles before them themselves, which is correct, but slower than more passes.
template <class Kernel>
std::string forLookBack(gpu::Device& device) {
    std::string missing = missingForwardProgress(device);
    return missing.empty() ? forKernel<Kernel>(device) : missing;
}
using namespace kernels;  // NOLINT: the table's rows name two each

constexpr uint32_t kTile2 = 256 * 8, kTile4 = 256 * 16, kTile5 = 256 * 20;
constexpr uint32_t kAny = UINT32_MAX;
constexpr uint32_t kMostCounted = (1u << shared::kSortCountBits) - 1;  // pairs, with look-back
// Where larger tiles become faster on an H200; small ones keep more of the GPU busy.
constexpr uint32_t kSmallSort = 384 << 10, kMiddleSort = 2 << 20;
constexpr LookBack kPatient{.polls = 4096};  // of a group in all, milliseconds: groups that go on publish within microseconds

// clang-format off
constexpr SortVariant kVariants[] = {
    {"onesweep-256x8", forLookBack<sort_onesweep256x8>, TunedFor::gpu, kSmallSort, kTile2, 0, 2048, SortSpine::lookBack, sweep<sort_onesweep256x8, sort_onesweep256x8_u16>, kPatient},
    {"onesweep-256x16", forLookBack<sort_onesweep256x16>, TunedFor::gpu, kMiddleSort, kTile4, 0, 2048, SortSpine::lookBack, sweep<sort_onesweep256x16, sort_onesweep256x16_u16>, kPatient},
    {"onesweep-256x20", forLookBack<sort_onesweep256x20>, TunedFor::gpu, kMostCounted, kTile5, 0, 2048, SortSpine::lookBack, sweep<sort_onesweep256x20, sort_onesweep256x20_u16>, kPatient},
    {"ballot-256x16", forKernel<sort_scatter_ballot256x16>, TunedFor::gpu, kAny, kTile4, 128, 1024, SortSpine::subgroup, scatter<sort_scatter_ballot256x16, sort_scatter_ballot256x16_u16>},
    {"portable", forKernel<sort_scatter_portable16>, TunedFor::gpu, kAny, kTile4, 128, 1024, SortSpine::portable, scatter<sort_scatter_portable16, sort_scatter_portable16_u16>},
    {"portable-software", forKernel<sort_scatter_portable8>, TunedFor::software, kAny, kTile2, 16, 256, SortSpine::serial, scatter<sort_scatter_portable8, sort_scatter_portable8_u16>},
    {"ballot-software", forKernel<sort_scatter_ballot256x8>, TunedFor::software, kAny, kTile2, 16, 256, SortSpine::serial, scatter<sort_scatter_ballot256x8, sort_scatter_ballot256x8_u16>},
};
// clang-format on
static_assert(std::ranges::all_of(kVariants, [](const SortVariant& v) { return v.tile >= shared::kSortSmallestTile; }));

}  // namespace

std::span<const SortVariant> sortVariants() { return kVariants; }

}  // namespace splat::primitives
