#include "render/forward.h"

#include <algorithm>
#include <bit>

#include "kernels/admit_instances.h"
#include "kernels/begin_frame.h"
#include "kernels/blend.h"
#include "kernels/blend_subgroup.h"
#include "kernels/depth_keys.h"
#include "kernels/emit_instances.h"
#include "kernels/gather_tile_counts.h"
#include "kernels/order_tiles.h"
#include "kernels/plan_dispatch.h"
#include "kernels/project.h"
#include "kernels/tile_ranges.h"
#include "render/subtiles.h"

namespace splat {

namespace {

constexpr primitives::BitWindow kDepthWindow{0, 32};
constexpr uint32_t kBlock = 256;  // threads of the one-thing-a-thread kernels; shaders/lib/constants.slang
constexpr uint32_t kTilePixels = kTileSize * kTileSize;

/// Bits of a tile id; the number of tiles itself stands for "no tile" and sorts last.
primitives::BitWindow tileWindow(const ViewSelection& view) {
    return {0, static_cast<uint32_t>(std::bit_width(tileGrid(view.width, view.height).count()))};
}

primitives::SortBuffers depthBuffers(const FrameBuffers& f) { return {f.depthKeysA, f.gaussiansA, f.depthKeysB, f.gaussiansB}; }
primitives::SortBuffers tileBuffers(const FrameBuffers& f) { return {f.tileKeysA, f.instancesA, f.tileKeysB, f.instancesB}; }

template <class Kernel>
Kernel withBlendBuffers(Kernel k, const FrameBuffers& f, const ViewSelection& view) {
    k.frame = f.parameters;
    k.tileOrder = f.tileOrder;
    k.tileRanges = f.tileRanges;
    k.subtilesOfInstance = f.subtilesOfInstance;
    k.gaussianFromInstance = Forward::gaussianFromInstance(f, view);
    k.projected = f.projected;
    k.colours = f.colours;
    k.transmittances = f.transmittances;
    k.lastContributors = f.lastContributors;
    k.tileLast = f.tileLast;
    k.bucketCount = f.bucketCount;
    k.buckets = f.buckets;
    k.checkpoints = f.checkpoints;
    k.size = {view.width, view.height};
    k.bucketCapacity = f.capacity.buckets;
    k.kSaveBuckets = f.capacity.buckets > 0 ? 1u : 0u;
    return k;
}

}  // namespace

FrameBuffers::FrameBuffers(gpu::Device& d, const FrameCapacity& c)
    : capacity(c),
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
      tileCounts(d.buffer<uint32_t>("tiles a gaussian", c.gaussians)),
      gaussianFromVisible(d.buffer<uint32_t>("gaussian from visible", c.gaussians)),
      depthKeysA(d.buffer<uint32_t>("depth keys ping", c.gaussians)),
      depthKeysB(d.buffer<uint32_t>("depth keys pong", c.gaussians)),
      gaussiansA(d.buffer<uint32_t>("gaussians by depth ping", c.gaussians)),
      gaussiansB(d.buffer<uint32_t>("gaussians by depth pong", c.gaussians)),
      firstInstances(d.buffer<uint32_t>("first instance from rank", c.gaussians)),
      tileKeysA(d.buffer<uint32_t>("tile keys ping", c.instances)),
      tileKeysB(d.buffer<uint32_t>("tile keys pong", c.instances)),
      instancesA(d.buffer<uint32_t>("gaussians by tile ping", c.instances)),
      instancesB(d.buffer<uint32_t>("gaussians by tile pong", c.instances)),
      subtilesOfInstance(d.buffer<uint32_t>("sub-tiles of an instance", c.instances)),
      tileRanges(d.buffer<glm::uvec2>("tile ranges", c.tiles())),
      tileOrder(d.buffer<uint32_t>("tiles by length", c.tiles())),
      tileLast(d.buffer<uint32_t>("last contributor of a tile", c.tiles())),
      colours(d.buffer<glm::vec3>("colours", c.pixels())),
      transmittances(d.buffer<float>("transmittances", c.pixels())),
      lastContributors(d.buffer<uint32_t>("last contributors", c.pixels())),
      buckets(d.buffer<shared::Bucket>("buckets", c.buckets)),
      checkpoints(d.buffer<glm::vec4>("checkpoints", size_t{c.buckets} * kTilePixels)),
      sortScratch(primitives::RadixSort::scratch(d, "frame sort", std::max(c.gaussians, c.instances))) {
    d.run("clear frame state", [&](gpu::Commands& commands) { commands.fill(state, 0); });
}

Forward::Forward(gpu::Device& device, const primitives::RadixSort& sort)
    : device_(&device), sort_(&sort), scan_(device), compaction_(device), scanScratch_(scan_.scratch("frame scan")) {}

gpu::BufferSlice Forward::gaussianFromInstance(const FrameBuffers& frame, const ViewSelection& view) {
    return primitives::sortedPayload(tileBuffers(frame), tileWindow(view));
}

void Forward::record(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view) const {
    recordVisible(commands, model, frame, view);
    recordInstances(commands, frame, view);
    recordBlend(commands, frame, view);
}

void Forward::recordVisible(gpu::Commands& c, const GaussianModel& model, const FrameBuffers& f, const ViewSelection& view) const {
    c.stage("project");
    c.dispatchGroups(kernels::begin_frame{.gaussianCount = model.count,
                                          .state = f.state,
                                          .activeCount = f.activeCount,
                                          .bucketCount = f.bucketCount,
                                          .perGaussian = f.perGaussian},
                     1);
    c.dispatchIndirect(kernels::project{.activeCount = f.activeCount,
                                        .frame = f.parameters,
                                        .views = view.views,
                                        .means = model.means,
                                        .rotations = model.rotations,
                                        .logScales = model.logScales,
                                        .logitOpacities = model.logitOpacities,
                                        .sh0 = model.sh0,
                                        .shRest = model.shRest,
                                        .projected = f.projected,
                                        .tileCounts = f.tileCounts,
                                        .view = view.index,
                                        .capacity = model.capacity,
                                        .kAntialiased = model.antialiased ? 1u : 0u},
                       f.perGaussian);
    c.stage("compact");
    compaction_.record(c, {f.tileCounts, f.gaussianFromVisible, {f.visibleCount}, scanScratch_}, {f.capacity.gaussians, {f.activeCount}});
    c.dispatchGroups(
        kernels::plan_dispatch{.counts = f.visibleCount, .arguments = f.perVisible, .rows = 1, .thingsPerGroup = glm::uvec4(kBlock)}, 1);
    c.dispatchIndirect(kernels::depth_keys{.visibleCount = f.visibleCount,
                                           .gaussianFromVisible = f.gaussianFromVisible,
                                           .projected = f.projected,
                                           .keys = f.depthKeysA,
                                           .gaussians = f.gaussiansA},
                       f.perVisible);
    c.stage("depth sort");
    sort_->record(c, {.buffers = depthBuffers(f), .window = kDepthWindow, .scratch = f.sortScratch},
                  {f.capacity.gaussians, {f.visibleCount}});
}

void Forward::recordInstances(gpu::Commands& c, const FrameBuffers& f, const ViewSelection& view) const {
    const gpu::BufferSlice gaussianFromRank = primitives::sortedPayload(depthBuffers(f), kDepthWindow);
    const glm::uvec2 size(view.width, view.height);
    c.stage("emit");
    c.dispatchIndirect(kernels::gather_tile_counts{.visibleCount = f.visibleCount,
                                                   .gaussianFromRank = gaussianFromRank,
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
    c.dispatchIndirect(kernels::emit_instances{.visibleCount = f.visibleCount,
                                               .instanceCount = f.instanceCount,
                                               .gaussianFromRank = gaussianFromRank,
                                               .firstInstanceFromRank = f.firstInstances,
                                               .projected = f.projected,
                                               .tileKeys = f.tileKeysA,
                                               .gaussians = f.instancesA,
                                               .size = size},
                       f.perInstance);
    c.stage("tile sort");
    const primitives::BitWindow window = tileWindow(view);
    sort_->record(c, {.buffers = tileBuffers(f), .window = window, .scratch = f.sortScratch}, {f.capacity.instances, {f.instanceCount}});
    c.fill(f.tileRanges, 0);
    c.dispatchIndirect(kernels::tile_ranges{.instanceCount = f.instanceCount,
                                            .tileKeys = primitives::sortedKeys(tileBuffers(f), window),
                                            .tileRanges = f.tileRanges,
                                            .tiles = tileGrid(view.width, view.height).count()},
                       f.perInstance);
}

void Forward::recordBlend(gpu::Commands& c, const FrameBuffers& f, const ViewSelection& view) const {
    c.stage("blend");
    const uint32_t tiles = tileGrid(view.width, view.height).count();
    c.dispatchGroups(kernels::order_tiles{.tileRanges = f.tileRanges, .tileOrder = f.tileOrder, .tiles = tiles}, 1);
    if (hasSubtileSubgroups(*device_)) {
        const kernels::blend_subgroup kernel{.subgroupSize = pinnedSubtileSubgroup(*device_)};
        return c.dispatchGroups(withBlendBuffers(kernel, f, view), tiles);
    }
    c.dispatchGroups(withBlendBuffers(kernels::blend{}, f, view), tiles);
}

}  // namespace splat
