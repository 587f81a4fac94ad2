#include <splatwright/train/densify/refinement.h>

#include <algorithm>
#include <cstddef>

#include "kernels/begin_refinement.h"
#include "kernels/clear_blend_statistics.h"
#include "kernels/clear_densify_statistics.h"
#include "kernels/order_gaussians.h"
#include "kernels/permute_words.h"

namespace splat {

namespace {

constexpr primitives::BitWindow kCodeWindow{0, shared::kMortonBits};

static_assert(PlanarBuffer::kMostBytes <= sizeof(shared::Projected), "the planes of a buffer fit into the scratch");
static_assert(primitives::resultSide(kCodeWindow) == primitives::Side::a);

}  // namespace

RefinementTools::RefinementTools(gpu::Device& d, const primitives::RadixSort& sort, const TrainSettings& settings)
    : perBefore(d.buffer<shared::DispatchArguments>("groups per gaussian before", 1)),
      perAfter(d.buffer<shared::DispatchArguments>("groups per gaussian after", 1)),
      scanScratch(primitives::ExclusiveScan(d).scratch("refinement scan")),
      scan(d),
      sort_(&sort),
      seed_(settings.seed) {}

void RefinementTools::recordBegin(gpu::Commands& c, const RefineJob& job) const {
    c.dispatchGroups(kernels::begin_refinement{.gaussianCount = job.store.model.count,
                                               .state = job.frame.state,
                                               .training = job.training,
                                               .refinement = job.refinement,
                                               .perBefore = perBefore,
                                               .perAfter = perAfter,
                                               .seed = seed_},
                     1);
}

void RefinementTools::recordOrder(gpu::Commands& c, const RefineJob& job) const {
    c.dispatchIndirect(
        withModel(kernels::order_gaussians{.refinement = job.refinement, .codes = codes(job), .parents = parents(job)}, job.store.model),
        perAfter);
}

void RefinementTools::recordSortByPlace(gpu::Commands& c, const RefineJob& job) const {
    const FrameBuffers& f = job.frame;
    sort_->record(c, {.buffers = {codes(job), parents(job), f.depthKeysB, f.gaussiansB}, .window = kCodeWindow, .scratch = f.sortScratch},
                  {f.capacity.gaussians, word(job, shared::kRefinementAfter)});
}

void RefinementTools::recordPermutation(gpu::Commands& c, const RefineJob& job) const {
    for (const StoredBuffer& b : job.store.buffers()) {
        if (b.kind == BufferKind::statistic) continue;  // cleared below
        for (size_t buffer = 0; buffer < b.values->buffers().size(); ++buffer) permuteThrough(c, job, b, buffer);
    }
    if (job.store.hasStatistics)
        c.dispatchIndirect(
            kernels::clear_densify_statistics{.refinement = job.refinement, .densifyStatistics = job.store.densifyStatistics}, perAfter);
    if (job.store.hasBlendStatistics)
        c.dispatchIndirect(kernels::clear_blend_statistics{.refinement = job.refinement, .blendStatistics = job.store.blendStatistics},
                           perAfter);
}

/// Permutes the planes of a buffer. Gathers into a scratch buffer and copies back, because Gaussians swap indices.
void RefinementTools::permuteThrough(gpu::Commands& c, const RefineJob& job, const StoredBuffer& b, size_t buffer) const {
    const PlanarBuffer& values = *b.values;
    const uint32_t pitch = values.words() * values.capacity();
    kernels::permute_words move{.refinement = job.refinement,
                                .parents = parents(job),
                                .source = values.buffers()[buffer].words(),
                                .target = job.frame.projected.words(),
                                .planes = values.planesOf(buffer),
                                .sourcePlane = pitch,
                                .targetPlane = pitch,
                                .kWords = values.words(),
                                .kInPlace = 0,
                                .kZeroNew = b.kind == BufferKind::moment ? 1u : 0u};
    c.dispatchIndirect(move, perAfter);
    std::swap(move.source, move.target);
    move.kInPlace = 1;
    move.kZeroNew = 0;
    c.dispatchIndirect(move, perAfter);
}

}  // namespace splat
