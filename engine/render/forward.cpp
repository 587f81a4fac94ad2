#include <splatwright/render/forward.h>

#include <algorithm>
#include <bit>

#include <splatwright/primitives/scan_grid.h>
#include "kernels/admit_instances.h"
#include "kernels/begin_frame.h"
#include "kernels/blend.h"
#include "kernels/blend_subgroup.h"
#include "kernels/emit_instances.h"
#include "kernels/emit_instances_u16.h"
#include "kernels/gather_tile_counts.h"
#include "kernels/list_visible.h"
#include "kernels/list_visible_portable.h"
#include "kernels/order_tiles.h"
#include "kernels/project.h"
#include "kernels/tile_ranges.h"
#include "kernels/tile_ranges_u16.h"

namespace splat {

namespace {

constexpr primitives::BitWindow kDepthWindow{0, 32};
using shared::kTilePixels;

/// Bits of a tile id; the number of tiles itself stands for "no tile" and sorts last.
primitives::BitWindow tileWindowOf(uint32_t tiles) { return {0, static_cast<uint32_t>(std::bit_width(tiles))}; }

primitives::KeyStorage tileKeysFor(const gpu::Device& device, uint32_t tiles) {
    const bool fits = tiles <= UINT16_MAX && device.has(gpu::Feature::int16Storage);
    return fits ? primitives::KeyStorage::u16 : primitives::KeyStorage::u32;
}

size_t keyBytes(primitives::KeyStorage storage) { return storage == primitives::KeyStorage::u16 ? sizeof(uint16_t) : sizeof(uint32_t); }

VkDeviceSize tileSortBytes(const FrameCapacity& c, primitives::KeyStorage keys) {
    return gpu::Arena::bytes<std::byte>(keyBytes(keys) * c.instances) + gpu::Arena::bytes<uint32_t>(c.instances);
}

VkDeviceSize zeroedBytes(const FrameCapacity& c) {
    return 2 * gpu::Arena::bytes<uint32_t>(shared::kSortCounters) + gpu::Arena::bytes<glm::uvec2>(c.tiles());
}

VkDeviceSize depthSortBytes(const FrameCapacity& c) { return 5 * gpu::Arena::bytes<uint32_t>(c.gaussians); }

bool endsInPing(const primitives::BitWindow& window) { return primitives::resultSide(window) == primitives::Side::a; }

primitives::SortBuffers depthBuffers(const FrameBuffers& f) { return {f.depthKeysA, f.gaussiansA, f.depthKeysB, f.gaussiansB}; }
primitives::SortBuffers tileBuffers(const FrameBuffers& f) {
    return {f.tileKeysA.words(), f.instancesA, f.tileKeysB.words(), f.instancesB};
}

gpu::BufferSlice gaussianFromRank(const FrameBuffers& f) { return primitives::sortedPayload(depthBuffers(f), kDepthWindow); }

template <class Kernel>
Kernel listVisible(const FrameBuffers& f, const primitives::ScanScratch& scratch, uint32_t groups) {
    return {.activeCount = f.activeCount,
            .tileCounts = f.tileCounts,
            .groupSums = scratch.groupSums,
            .projected = f.projected,
            .gaussianFromVisible = f.gaussianFromVisible,
            .keys = f.depthKeysA,
            .gaussians = f.gaussiansA,
            .visibleCount = f.visibleCount,
            .perVisible = f.perVisible,
            .groups = groups,
            .capacity = f.capacity.gaussians};
}

template <class Kernel>
void recordEmission(gpu::Commands& c, const FrameBuffers& f, glm::uvec2 size) {
    c.dispatchIndirect(Kernel{.tileKeys = f.tileKeysA.words(),
                              .visibleCount = f.visibleCount,
                              .instanceCount = f.instanceCount,
                              .gaussianFromRank = gaussianFromRank(f),
                              .firstInstanceFromRank = f.firstInstances,
                              .projected = f.projected,
                              .gaussians = f.instancesA,
                              .size = size},
                       f.perInstance);
}

template <class Kernel>
void recordRanges(gpu::Commands& c, const FrameBuffers& f, glm::uvec2 size) {
    c.dispatchIndirect(Kernel{.tileKeys = primitives::sortedKeys(tileBuffers(f), f.tileWindow),
                              .instanceCount = f.instanceCount,
                              .tileRanges = f.tileRanges,
                              .tiles = tileGrid(size.x, size.y).count()},
                       f.perInstance);
}

template <class Kernel>
Kernel withBlendBuffers(Kernel k, const FrameBuffers& f, glm::uvec2 size, bool inverseDepths) {
    k.frame = f.parameters;
    k.tileOrder = f.tileOrder;
    k.tileRanges = f.tileRanges;
    k.gaussianFromInstance = Forward::gaussianFromInstance(f);
    k.projected = f.projected;
    k.colours = f.colours;
    k.transmittances = f.transmittances;
    k.inverseDepths = f.inverseDepths;
    k.lastContributors = f.lastContributors;
    k.tileLast = f.tileLast;
    k.bucketCount = f.bucketCount;
    k.buckets = f.buckets;
    k.checkpoints = f.checkpoints;
    k.size = size;
    k.bucketCapacity = f.capacity.buckets;
    k.kSaveBuckets = f.capacity.buckets > 0 ? 1u : 0u;
    k.kSaveSubtiles = f.capacity.backward ? 1u : 0u;
    k.kInverseDepth = inverseDepths ? 1u : 0u;
    return k;
}

}  // namespace

uint32_t FrameCapacity::withMargin(uint32_t needed) {
    constexpr uint32_t kMost = 1'000'000;
    return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{needed} + std::min(needed / 4, kMost), UINT32_MAX));
}

FrameBuffers::FrameBuffers(gpu::Device& d, const FrameCapacity& c)
    : capacity(c),
      tileKeys(tileKeysFor(d, c.tiles())),
      tileWindow(tileWindowOf(c.tiles())),
      ping(d.buffer<std::byte>("ping memory of sorts", std::max(tileSortBytes(c, tileKeys), endsInPing(tileWindow) ? 0 : c.transientBytes),
                               gpu::Residence::arena)),
      pong(d.buffer<std::byte>("pong memory of sorts",
                               std::max({tileSortBytes(c, tileKeys), depthSortBytes(c), endsInPing(tileWindow) ? c.transientBytes : 0}),
                               gpu::Residence::arena)),
      state(d.buffer<shared::FrameState>("frame state", 1)),
      parameters(d.buffer<shared::FrameParameters>("frame parameters", 1)),
      activeCount(d.buffer<uint32_t>("active count", 1)),
      visibleCount(d.buffer<uint32_t>("visible count", 1)),
      instanceTotal(d.buffer<uint32_t>("instance total", 1)),
      instanceCount(d.buffer<uint32_t>("instance count", 1)),
      bucketCount(d.buffer<uint32_t>("bucket count", 1)),
      perGaussian(d.buffer<shared::DispatchArguments>("groups per gaussian", 1)),
      perVisible(d.buffer<shared::DispatchArguments>("groups per visible", 1)),
      perInstance(d.buffer<shared::DispatchArguments>("groups per instance", 1)),
      projected(d.buffer<shared::Projected>("projected gaussians", c.gaussians)),
      tileCounts(d.buffer<uint32_t>("tiles per gaussian", c.gaussians)),
      gaussianFromVisible(d.buffer<uint32_t>("gaussian from visible", c.gaussians)),
      zeroed(d.buffer<std::byte>("zeroed per frame", zeroedBytes(c), gpu::Residence::arena)),
      tileOrder(d.buffer<uint32_t>("tiles by length", c.tiles())),
      tileLast(d.buffer<uint32_t>("last contributor per tile", c.tiles())),
      colours(d.buffer<glm::vec3>("colours", c.pixels())),
      transmittances(d.buffer<float>("transmittances", c.pixels())),
      lastContributors(d.buffer<uint32_t>("last contributors", c.pixels())),
      inverseDepths(d.buffer<float>("inverse depths", c.inverseDepths ? c.pixels() : 1)),
      buckets(d.buffer<shared::Bucket>("buckets", c.buckets)),
      checkpoints(d.buffer<glm::vec4>("checkpoints", size_t{c.buckets} * kTilePixels)),
      sortScratch(primitives::RadixSort::scratch(d, "frame sort", std::max(c.gaussians, c.instances))) {
    SPLAT_CHECK(!c.backward || c.gaussians <= FrameCapacity::kMostTrained, "{} gaussians", c.gaussians);
    gpu::Arena first(ping), second(pong), early(pong), zeros(zeroed);
    const size_t keys = keyBytes(tileKeys) * c.instances;
    tileKeysA = first.take<std::byte>("tile keys ping", keys);
    instancesA = first.take<uint32_t>("gaussians by tile ping", c.instances);
    tileKeysB = second.take<std::byte>("tile keys pong", keys);
    instancesB = second.take<uint32_t>("gaussians by tile pong", c.instances);
    depthKeysA = early.take<uint32_t>("depth keys ping", c.gaussians);
    depthKeysB = early.take<uint32_t>("depth keys pong", c.gaussians);
    gaussiansA = early.take<uint32_t>("gaussians by depth ping", c.gaussians);
    gaussiansB = early.take<uint32_t>("gaussians by depth pong", c.gaussians);
    firstInstances = early.take<uint32_t>("first instance from rank", c.gaussians);
    depthCounters = zeros.take<uint32_t>("depth sort counters", shared::kSortCounters);
    tileCounters = zeros.take<uint32_t>("tile sort counters", shared::kSortCounters);
    tileRanges = zeros.take<glm::uvec2>("tile ranges", c.tiles());
    d.run("clear frame state", [&](gpu::Commands& commands) { commands.fill(state, 0); });
}

gpu::Arena FrameBuffers::transient() const { return gpu::Arena(endsInPing(tileWindow) ? pong : ping); }

Forward::Forward(gpu::Device& device, const primitives::RadixSort& sort)
    : device_(&device),
      sort_(&sort),
      scan_(device),
      compaction_(primitives::bestGroupScan(device, primitives::Summing::compaction)),
      scanScratch_(scan_.scratch("frame scan")) {}

gpu::BufferSlice Forward::gaussianFromInstance(const FrameBuffers& frame) {
    return primitives::sortedPayload(tileBuffers(frame), frame.tileWindow);
}

void Forward::record(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view) const {
    commands.stage("project");
    recordBegin(commands, model.count, frame);
    recordProjection(commands, model, frame, view);
    recordLists(commands, frame, {view.width, view.height});
    recordBlend(commands, frame, {view.width, view.height}, view.inverseDepths);
}

void Forward::recordLists(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size) const {
    recordDepthOrder(commands, frame);
    recordInstances(commands, frame, size);
}

void Forward::recordBegin(gpu::Commands& c, gpu::BufferSlice gaussianCount, const FrameBuffers& f) const {
    c.fill(f.zeroed, 0);  // here, where nothing waits for it
    c.dispatchGroups(kernels::begin_frame{.gaussianCount = gaussianCount,
                                          .state = f.state,
                                          .activeCount = f.activeCount,
                                          .bucketCount = f.bucketCount,
                                          .perGaussian = f.perGaussian},
                     1);
}

void Forward::recordProjection(gpu::Commands& c, const GaussianModel& model, const FrameBuffers& f, const ViewSelection& view) const {
    const kernels::project kernel{.activeCount = f.activeCount,
                                  .frame = f.parameters,
                                  .views = view.views,
                                  .projected = f.projected,
                                  .tileCounts = f.tileCounts,
                                  .view = view.index};
    c.dispatchIndirect(withModel(kernel, model), f.perGaussian);
}

void Forward::recordDepthOrder(gpu::Commands& c, const FrameBuffers& f) const {
    c.stage("compact");
    const primitives::Count count{f.capacity.gaussians, {f.activeCount}};
    primitives::Compaction::recordSums(c, f.tileCounts, scanScratch_, count);
    const uint32_t groups = primitives::scanGroups(count);
    if (compaction_ == primitives::GroupScan::subgroup)
        c.dispatchGroups(listVisible<kernels::list_visible>(f, scanScratch_, groups), groups);
    else
        c.dispatchGroups(listVisible<kernels::list_visible_portable>(f, scanScratch_, groups), groups);
    c.stage("depth sort");
    sort_->record(c, {.buffers = depthBuffers(f), .window = kDepthWindow, .scratch = f.sortScratch, .zeros = f.depthCounters},
                  {f.capacity.gaussians, {f.visibleCount}});
}

void Forward::recordInstances(gpu::Commands& c, const FrameBuffers& f, glm::uvec2 size) const {
    c.stage("emit");
    c.dispatchIndirect(kernels::gather_tile_counts{.visibleCount = f.visibleCount,
                                                   .gaussianFromRank = gaussianFromRank(f),
                                                   .tileCounts = f.tileCounts,
                                                   .rankedCounts = f.firstInstances},
                       f.perVisible);
    scan_.record(c, {f.firstInstances, f.firstInstances, {f.instanceTotal}, scanScratch_}, {f.capacity.gaussians, {f.visibleCount}});
    c.dispatchGroups(kernels::admit_instances{.instanceTotal = f.instanceTotal,
                                              .state = f.state,
                                              .instanceCount = f.instanceCount,
                                              .perInstance = f.perInstance,
                                              .capacity = f.capacity.instances},
                     1);
    const bool narrow = f.tileKeys == primitives::KeyStorage::u16;
    narrow ? recordEmission<kernels::emit_instances_u16>(c, f, size) : recordEmission<kernels::emit_instances>(c, f, size);
    c.stage("tile sort");
    sort_->record(
        c, {.buffers = tileBuffers(f), .window = f.tileWindow, .storage = f.tileKeys, .scratch = f.sortScratch, .zeros = f.tileCounters},
        {f.capacity.instances, {f.instanceCount}});
    narrow ? recordRanges<kernels::tile_ranges_u16>(c, f, size) : recordRanges<kernels::tile_ranges>(c, f, size);
}

void Forward::recordBlend(gpu::Commands& c, const FrameBuffers& f, glm::uvec2 size, bool inverseDepths) const {
    SPLAT_CHECK(f.capacity.inverseDepths || !inverseDepths, "the frame has no inverse depths");
    c.stage("blend");
    const uint32_t tiles = tileGrid(size.x, size.y).count();
    c.dispatchGroups(kernels::order_tiles{.tileRanges = f.tileRanges, .tileOrder = f.tileOrder, .tiles = tiles}, 1);
    if (device_->runs(kernels::blend_subgroup::info()))
        return c.dispatchGroups(withBlendBuffers(kernels::blend_subgroup{}, f, size, inverseDepths), tiles);
    c.dispatchGroups(withBlendBuffers(kernels::blend{}, f, size, inverseDepths), tiles);
}

}  // namespace splat
