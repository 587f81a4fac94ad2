#include <splatwright/render/forward.h>

#include "kernels/begin_frame.h"
#include "kernels/blend.h"
#include "kernels/blend_subgroup.h"
#include "kernels/emit_instances.h"
#include "kernels/emit_instances_u16.h"
#include "kernels/order_tiles.h"
#include "kernels/project.h"
#include "kernels/tile_ranges.h"
#include "kernels/tile_ranges_u16.h"

namespace splat {

namespace {

constexpr primitives::BitWindow kDepthWindow{0, 32};

primitives::SortBuffers depthBuffers(const FrameBuffers& f) { return {f.depthKeysA, f.gaussiansA, f.depthKeysB, f.gaussiansB}; }
primitives::SortBuffers tileBuffers(const FrameBuffers& f) {
    return {f.tileKeysA.words(), f.instancesA, f.tileKeysB.words(), f.instancesB};
}

gpu::BufferSlice gaussianFromRank(const FrameBuffers& f) { return primitives::sortedPayload(depthBuffers(f), kDepthWindow); }

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

Forward::Forward(gpu::Device& device, const primitives::RadixSort& sort) : device_(&device), sort_(&sort), scans_(device) {}

gpu::BufferSlice Forward::gaussianFromInstance(const FrameBuffers& frame) {
    return primitives::sortedPayload(tileBuffers(frame), frame.tileWindow);
}

void Forward::record(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view,
                     const Beside& beside) const {
    commands.stage("project");
    recordBegin(commands, model.count, frame);
    recordProjection(commands, model, frame, view);
    recordLists(commands, frame, {view.width, view.height});
    recordBlend(commands, frame, {view.width, view.height}, view.inverseDepths, beside);
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
    scans_.recordVisible(c, f);
    c.stage("depth sort");
    sort_->record(c, {.buffers = depthBuffers(f), .window = kDepthWindow, .scratch = f.sortScratch, .zeros = f.depthCounters},
                  {f.capacity.gaussians, {f.visibleCount}});
}

void Forward::recordInstances(gpu::Commands& c, const FrameBuffers& f, glm::uvec2 size) const {
    c.stage("emit");
    scans_.recordInstances(c, f, gaussianFromRank(f));
    const bool narrow = f.tileKeys == primitives::KeyStorage::u16;
    narrow ? recordEmission<kernels::emit_instances_u16>(c, f, size) : recordEmission<kernels::emit_instances>(c, f, size);
    c.stage("tile sort");
    sort_->record(
        c, {.buffers = tileBuffers(f), .window = f.tileWindow, .storage = f.tileKeys, .scratch = f.sortScratch, .zeros = f.tileCounters},
        {f.capacity.instances, {f.instanceCount}});
    narrow ? recordRanges<kernels::tile_ranges_u16>(c, f, size) : recordRanges<kernels::tile_ranges>(c, f, size);
}

void Forward::recordBlend(gpu::Commands& c, const FrameBuffers& f, glm::uvec2 size, bool inverseDepths, const Beside& beside) const {
    SPLAT_CHECK(f.capacity.inverseDepths || !inverseDepths, "the frame has no inverse depths");
    c.stage("blend");
    const uint32_t tiles = tileGrid(size.x, size.y).count();
    c.dispatchGroups(kernels::order_tiles{.tileRanges = f.tileRanges, .tileOrder = f.tileOrder, .tiles = tiles}, 1);
    if (beside) beside(c);
    if (device_->runs(kernels::blend_subgroup::info()))
        return c.dispatchGroups(withBlendBuffers(kernels::blend_subgroup{}, f, size, inverseDepths), tiles);
    c.dispatchGroups(withBlendBuffers(kernels::blend{}, f, size, inverseDepths), tiles);
}

}  // namespace splat
