#include <splatwright/render/forward.h>

#include <splatwright/render/blend_self_test.h>
#include "kernels/begin_frame.h"
#include "kernels/blend.h"
#include "kernels/blend_subgroup.h"
#include "kernels/blend_subtile.h"
#include "kernels/emit_instances.h"
#include "kernels/emit_instances_u16.h"
#include "kernels/order_tiles.h"
#include "kernels/tile_ranges.h"
#include "kernels/tile_ranges_u16.h"

namespace splat {

namespace {

constexpr uint32_t kRangeGroups = 1024;  // of the kernel that finds the tiles' lists: enough to fill a large GPU

primitives::SortBuffers depthBuffers(const FrameBuffers& f) { return {f.depthKeysA, f.gaussiansA, f.depthKeysB, f.gaussiansB}; }

/// Compaction lists the visible Gaussians by index, and the depth sort starts from that.
gpu::BufferSlice gaussianFromRank(const FrameBuffers& f, ListOrder order) {
    return order == ListOrder::index ? gpu::BufferSlice(f.gaussiansA) : primitives::sortedPayload(depthBuffers(f), Forward::kDepthWindow);
}

template <class Kernel>
void recordEmission(gpu::Commands& c, const FrameBuffers& f, glm::uvec2 size, gpu::BufferSlice gaussianFromRank) {
    c.dispatchIndirect(Kernel{.tileKeys = f.tileKeysA.words(),
                              .visibleCount = f.visibleCount,
                              .instanceCount = f.instanceCount,
                              .gaussianFromRank = gaussianFromRank,
                              .firstInstanceFromRank = f.firstInstances,
                              .groupRanks = f.groupRanks,
                              .projected = f.projected,
                              .instances = f.instancesA,
                              .size = size,
                              .kSubtileMasks = f.capacity.backward ? 1u : 0u},
                       f.perInstance);
}

template <class Kernel>
void recordRanges(gpu::Commands& c, const FrameBuffers& f, glm::uvec2 size) {
    c.dispatchGroups(Kernel{.tileKeys = primitives::sortedKeys(Forward::instances(f), f.tileWindow),
                            .instanceCount = f.instanceCount,
                            .tileRanges = f.tileRanges,
                            .groups = kRangeGroups,
                            .tiles = tileGrid(size.x, size.y).count()},
                     kRangeGroups);
}

template <class Kernel>
Kernel withBlendBuffers(Kernel k, const FrameBuffers& f, glm::uvec2 size, const BlendOptions& options) {
    k.frame = f.parameters;
    k.tileOrder = f.tileOrder;
    k.tileRanges = f.tileRanges;
    k.gaussianFromInstance = Forward::gaussianFromInstance(f);
    k.projected = f.projected;
    k.colours = f.colours;
    k.transmittances = f.transmittances;
    k.carried = f.carried;
    k.splatValues = f.splatValues;
    k.lastContributors = f.lastContributors;
    k.tileLast = f.tileLast;
    k.size = size;
    k.opaqueBelow = options.opaqueBelow;
    k.kCarried = static_cast<uint32_t>(options.carried);
    k.kSummed = options.summed ? 1u : 0u;
    if constexpr (requires { k.buckets; }) {
        k.bucketCount = f.bucketCount;
        k.buckets = f.buckets;
        k.checkpoints = f.checkpoints;
        k.bucketCapacity = f.capacity.buckets;
        k.kSaveBuckets = f.capacity.buckets > 0 ? 1u : 0u;
        k.kSubtileMasks = f.capacity.backward ? 1u : 0u;
    }
    return k;
}

}  // namespace

Forward::Forward(gpu::Device& device, const primitives::RadixSort& sort) : device_(&device), sort_(&sort), scans_(device) {
    settleBlend(device, sort);
}

primitives::SortBuffers Forward::instances(const FrameBuffers& f) {
    return {f.tileKeysA.words(), f.instancesA, f.tileKeysB.words(), f.instancesB};
}

gpu::BufferSlice Forward::gaussianFromInstance(const FrameBuffers& frame) {
    return primitives::sortedPayload(instances(frame), frame.tileWindow);
}

void Forward::record(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view,
                     const Beside& beside) const {
    const PictureJob job{model, frame, view, beside};
    const ModelKindRow& kind = *model.kind.row;
    commands.stage("project");
    recordBegin(commands, model.count, frame);
    kind.recordProjection(commands, job);
    recordLists(commands, frame, {view.width, view.height}, kind.order);
    kind.recordPicture(*this, commands, job);
}

void Forward::recordLists(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size, ListOrder order) const {
    recordEmitted(commands, frame, size, order);
    recordSorted(commands, frame, size);
}

void Forward::recordEmitted(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size, ListOrder order) const {
    commands.stage("compact");
    scans_.recordVisible(commands, frame);
    if (order == ListOrder::depth) {
        commands.stage("depth sort");
        sort_->record(commands,
                      {.buffers = depthBuffers(frame), .window = kDepthWindow, .scratch = frame.sortScratch, .zeros = frame.depthCounters},
                      {frame.capacity.gaussians, {frame.visibleCount}});
    }
    commands.stage("emit");
    const gpu::BufferSlice ranks = gaussianFromRank(frame, order);
    scans_.recordInstances(commands, frame, ranks);
    frame.tileKeys == primitives::KeyStorage::u16 ? recordEmission<kernels::emit_instances_u16>(commands, frame, size, ranks)
                                                  : recordEmission<kernels::emit_instances>(commands, frame, size, ranks);
}

void Forward::recordSorted(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size) const {
    commands.stage("tile sort");
    sort_->record(commands,
                  {.buffers = instances(frame),
                   .window = frame.tileWindow,
                   .storage = frame.tileKeys,
                   .scratch = frame.sortScratch,
                   .zeros = frame.tileCounters},
                  {frame.capacity.instances, {frame.instanceCount}});
    frame.tileKeys == primitives::KeyStorage::u16 ? recordRanges<kernels::tile_ranges_u16>(commands, frame, size)
                                                  : recordRanges<kernels::tile_ranges>(commands, frame, size);
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

void Forward::recordBlend(gpu::Commands& c, const FrameBuffers& f, glm::uvec2 size, const BlendOptions& options,
                          const Beside& beside) const {
    SPLAT_CHECK(numbersOf(options.carried) <= f.capacity.carriedNumbers, "the frame carries {} numbers, and the value has {}",
                f.capacity.carriedNumbers, numbersOf(options.carried));
    c.stage("blend");
    const uint32_t tiles = tileGrid(size.x, size.y).count();
    c.dispatchGroups(kernels::order_tiles{.tileRanges = f.tileRanges, .tileOrder = f.tileOrder, .tiles = tiles}, 1);
    if (beside) beside(c);
    if (f.capacity.backward && f.capacity.buckets == 0 && device_->runs(kernels::blend_subtile::info()))
        return c.dispatchGroups(withBlendBuffers(kernels::blend_subtile{}, f, size, options), uint64_t{shared::kSubtiles} * tiles);
    if (device_->runs(kernels::blend_subgroup::info()))
        return c.dispatchGroups(withBlendBuffers(kernels::blend_subgroup{}, f, size, options), tiles);
    c.dispatchGroups(withBlendBuffers(kernels::blend{}, f, size, options), tiles);
}

}  // namespace splat
