#include "train/densify/refinement.h"

#include <algorithm>
#include <cstddef>

#include "kernels/begin_refinement.h"
#include "kernels/clear_growth.h"
#include "kernels/order_gaussians.h"
#include "kernels/permute_words.h"

namespace splat {

namespace {

constexpr primitives::BitWindow kCodeWindow{0, 30};                               // shaders/lib/morton.slang
constexpr uint32_t kScratchWords = sizeof(shared::Projected) / sizeof(uint32_t);  // a gaussian, in the frame's largest buffer

static_assert(offsetof(shared::Refinement, before) == 4 * kRefinementBefore && offsetof(shared::Refinement, kept) == 4 * kRefinementKept &&
              offsetof(shared::Refinement, births) == 4 * kRefinementBirths &&
              offsetof(shared::Refinement, after) == 4 * kRefinementAfter && offsetof(shared::Refinement, seed) == 4 * kRefinementSeed);
static_assert(primitives::resultSide(kCodeWindow) == primitives::Side::a);

/// Some planes of an attribute, as words.
gpu::BufferSlice planesOf(const Attribute& a, uint32_t capacity, uint32_t plane, uint32_t planes) {
    const uint64_t bytes = uint64_t{capacity} * a.words * sizeof(uint32_t);
    gpu::BufferSlice slice = a.buffer->slice(plane * bytes, planes * bytes);
    slice.stride = 0;
    return slice;
}

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
        kernels::order_gaussians{
            .refinement = job.refinement, .means = job.store.model.means, .codes = codes(job), .parents = parents(job)},
        perAfter);
}

void RefinementTools::recordSortByPlace(gpu::Commands& c, const RefineJob& job) const {
    const FrameBuffers& f = job.frame;
    sort_->record(c, {.buffers = {codes(job), parents(job), f.depthKeysB, f.gaussiansB}, .window = kCodeWindow, .scratch = f.sortScratch},
                  {f.capacity.gaussians, word(job, kRefinementAfter)});
}

void RefinementTools::recordPermutation(gpu::Commands& c, const RefineJob& job) const {
    for (const Attribute& a : job.store.attributes()) {
        if (a.kind == AttributeKind::statistic) continue;  // they start anew
        const uint32_t atOnce = std::max(1u, kScratchWords / a.words);
        for (uint32_t plane = 0; plane < a.planes; plane += atOnce) permuteThrough(c, job, a, plane, std::min(atOnce, a.planes - plane));
    }
    if (!job.store.hasStatistics) return;
    c.dispatchIndirect(kernels::clear_growth{.refinement = job.refinement, .growth = job.store.growth}, perAfter);
}

/// Through the scratch, because gaussians change places among themselves.
void RefinementTools::permuteThrough(gpu::Commands& c, const RefineJob& job, const Attribute& a, uint32_t plane, uint32_t planes) const {
    const uint32_t capacity = job.store.model.capacity;
    const gpu::BufferSlice at = planesOf(a, capacity, plane, planes);
    const gpu::BufferSlice scratch = job.frame.projected.words();
    kernels::permute_words move{.refinement = job.refinement,
                                .parents = parents(job),
                                .source = at,
                                .target = scratch,
                                .planes = planes,
                                .sourcePlane = a.words * capacity,
                                .targetPlane = a.words * capacity,
                                .kWords = a.words,
                                .kInPlace = 0,
                                .kZeroNew = a.kind == AttributeKind::moment ? 1u : 0u};
    c.dispatchIndirect(move, perAfter);
    std::swap(move.source, move.target);
    move.kInPlace = 1;
    move.kZeroNew = 0;
    c.dispatchIndirect(move, perAfter);
}

}  // namespace splat
