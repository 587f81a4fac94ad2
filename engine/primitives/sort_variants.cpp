#include <splatwright/primitives/sort_variants.h>

#include <algorithm>

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
void dispatchScatter(gpu::Commands& commands, const SortPass& p, uint32_t groups, const gpu::BufferSlice& arguments) {
    const Kernel kernel{.histograms = p.histograms,
                        .digitTotals = p.digitTotals,
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
    if (arguments) {
        commands.dispatchIndirect(kernel, arguments);
    } else {
        commands.dispatchGroups(kernel, groups);
    }
}

template <class Kernel32, class Kernel16>
void scatter(gpu::Commands& commands, const SortPass& pass, uint32_t groups, const gpu::BufferSlice& arguments) {
    if (pass.storage == KeyStorage::u32) {
        dispatchScatter<Kernel32>(commands, pass, groups, arguments);
    } else {
        dispatchScatter<Kernel16>(commands, pass, groups, arguments);
    }
}

bool hasSubgroups(const gpu::Device& device) { return device.runs(kernels::sort_scatter_ballot256x16::info()); }
bool always(const gpu::Device&) { return true; }

using namespace kernels;  // NOLINT: the table's rows name two each

constexpr uint32_t kTile2 = 256 * 8, kTile4 = 256 * 16;

// clang-format off
constexpr SortVariant kVariants[] = {
    {"ballot-256x16", hasSubgroups, TunedFor::gpu, kTile4, 128, 1024, SortSpine::subgroup, scatter<sort_scatter_ballot256x16, sort_scatter_ballot256x16_u16>},
    {"portable", always, TunedFor::gpu, kTile4, 128, 1024, SortSpine::portable, scatter<sort_scatter_portable16, sort_scatter_portable16_u16>},
    {"portable-software", always, TunedFor::software, kTile2, 16, 256, SortSpine::serial, scatter<sort_scatter_portable8, sort_scatter_portable8_u16>},
    {"ballot-software", hasSubgroups, TunedFor::software, kTile2, 16, 256, SortSpine::serial, scatter<sort_scatter_ballot256x8, sort_scatter_ballot256x8_u16>},
};
// clang-format on
static_assert(std::ranges::all_of(kVariants, [](const SortVariant& v) { return v.tile >= shared::kSortSmallestTile; }));

}  // namespace

std::span<const SortVariant> sortVariants() { return kVariants; }

}  // namespace splat::primitives
