#include "primitives/sort_variants.h"

#include "kernels/sort_scatter_ballot12.h"
#include "kernels/sort_scatter_ballot12_u16.h"
#include "kernels/sort_scatter_ballot16.h"
#include "kernels/sort_scatter_ballot16_u16.h"
#include "kernels/sort_scatter_ballot4.h"
#include "kernels/sort_scatter_ballot4_u16.h"
#include "kernels/sort_scatter_ballot8.h"
#include "kernels/sort_scatter_ballot8_u16.h"
#include "kernels/sort_scatter_portable.h"
#include "kernels/sort_scatter_portable_u16.h"

namespace splat::primitives {

namespace {

template <class Kernel>
void dispatchScatter(gpu::Commands& commands, const SortPass& p, const SortVariant& variant, uint32_t groups,
                     const gpu::BufferSlice& arguments) {
    const Kernel kernel{.histograms = p.histograms,
                        .digitTotals = p.digitTotals,
                        .counts = p.counts,
                        .keysIn = p.keysIn,
                        .payloadIn = p.payloadIn,
                        .keysOut = p.keysOut,
                        .payloadOut = p.payloadOut,
                        .atMost = p.atMost,
                        .countIndex = p.countIndex,
                        .maxGroups = variant.maxGroups,
                        .firstBit = p.firstBit,
                        .bits = p.bits,
                        .subgroupSize = p.pinnedSubgroup};
    if (arguments) {
        commands.dispatchIndirect(kernel, arguments);
    } else {
        commands.dispatchGroups(kernel, groups);
    }
}

template <class Kernel32, class Kernel16>
void scatter(gpu::Commands& commands, const SortPass& pass, const SortVariant& variant, uint32_t groups,
             const gpu::BufferSlice& arguments) {
    if (pass.storage == KeyStorage::u32) {
        dispatchScatter<Kernel32>(commands, pass, variant, groups, arguments);
    } else {
        dispatchScatter<Kernel16>(commands, pass, variant, groups, arguments);
    }
}

bool hasSubgroups(const gpu::Device& device) { return device.has(gpu::Feature::subgroupOperations); }
bool always(const gpu::Device&) { return true; }

using namespace kernels;  // NOLINT: the table's rows name two each

constexpr uint32_t tileOf(uint32_t items) { return items * shared::kSortThreads; }
constexpr uint32_t kGpuGroups = shared::kMaxSortGroups;
constexpr uint32_t kSoftwareGroups = 16;  // a few for each core; the scan of the counts is not free there

// clang-format off
constexpr SortVariant kVariants[] = {
    {"ballot-16", hasSubgroups, TunedFor::gpu, tileOf(16), kGpuGroups, SortSpine::subgroup, scatter<sort_scatter_ballot16, sort_scatter_ballot16_u16>},
    {"ballot-12", hasSubgroups, TunedFor::gpu, tileOf(12), kGpuGroups, SortSpine::subgroup, scatter<sort_scatter_ballot12, sort_scatter_ballot12_u16>},
    {"ballot-8", hasSubgroups, TunedFor::gpu, tileOf(8), kGpuGroups, SortSpine::subgroup, scatter<sort_scatter_ballot8, sort_scatter_ballot8_u16>},
    {"portable", always, TunedFor::gpu, tileOf(8), kGpuGroups, SortSpine::portable, scatter<sort_scatter_portable, sort_scatter_portable_u16>},
    {"portable-software", always, TunedFor::software, tileOf(8), kSoftwareGroups, SortSpine::serial, scatter<sort_scatter_portable, sort_scatter_portable_u16>},
    {"ballot-4", hasSubgroups, TunedFor::software, tileOf(4), kSoftwareGroups, SortSpine::serial, scatter<sort_scatter_ballot4, sort_scatter_ballot4_u16>},
};
// clang-format on

}  // namespace

std::span<const SortVariant> sortVariants() { return kVariants; }

}  // namespace splat::primitives
