#include "render/backward.h"

#include <vector>

#include <fmt/ranges.h>

#include "kernels/admit_backward.h"
#include "kernels/blend_backward_bucket.h"
#include "kernels/blend_backward_bucket_cas.h"
#include "kernels/blend_backward_bucket_shared.h"
#include "kernels/blend_backward_bucket_shared_cas.h"
#include "kernels/blend_backward_subtile.h"
#include "kernels/blend_backward_subtile_fixed.h"
#include "kernels/blend_backward_subtile_shared.h"
#include "kernels/blend_backward_subtile_shared_cas.h"
#include "kernels/blend_backward_subtile_shared_fixed.h"
#include "kernels/blend_backward_tree_cas.h"
#include "kernels/round_gradients.h"

namespace splat {

namespace {

constexpr uint32_t kGroupsATile = 2;  // shaders/lib/subtile_backward.slang
constexpr size_t kGradientWords = sizeof(shared::SplatGradient) / sizeof(float);

size_t fixedWords(const FrameCapacity& capacity, const AccumulationRow& row) {
    return row.deterministic ? kGradientWords * capacity.gaussians : 0;
}

/// The buffers that every backward kernel reads.
template <class Kernel>
Kernel withInputs(Kernel k, const BackwardJob& job) {
    const FrameBuffers& f = job.frame;
    k.tileRanges = f.tileRanges;
    k.gaussianFromInstance = Forward::gaussianFromInstance(f);
    k.projected = f.projected;
    k.colours = f.colours;
    k.colourGradients = job.colourGradients;
    k.lastContributors = f.lastContributors;
    k.tileLast = f.tileLast;
    k.size = {job.view.width, job.view.height};
    k.kAbsolute = job.absolute ? 1u : 0u;
    return k;
}

template <class Kernel>
void recordTiles(gpu::Commands& c, const Kernel& kernel, const BackwardJob& job) {
    Kernel k = withInputs(kernel, job);
    k.tileOrder = job.frame.tileOrder;
    c.dispatchGroups(k, uint64_t{kGroupsATile} * tileGrid(job.view.width, job.view.height).count());
}

void recordSubtile(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    const gpu::BufferSlice sums = job.buffers.gradients.words();
    c.fill(job.buffers.gradients, 0);
    if (device.runs(kernels::blend_backward_subtile::info())) {
        recordTiles(c, kernels::blend_backward_subtile{.gradientFloats = sums}, job);
    } else if (device.has(gpu::Feature::floatAtomics)) {
        recordTiles(c, kernels::blend_backward_subtile_shared{.gradientFloats = sums}, job);
    } else {
        recordTiles(c, kernels::blend_backward_subtile_shared_cas{.gradientWords = sums}, job);
    }
}

void recordFixedPoint(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    const FrameBuffers& f = job.frame;
    const gpu::Buffer& sums = job.buffers.fixedSums;
    c.fill(sums, 0);
    if (device.runs(kernels::blend_backward_subtile_fixed::info())) {
        recordTiles(c, kernels::blend_backward_subtile_fixed{.gradientSums = sums.words()}, job);
    } else {
        recordTiles(c, kernels::blend_backward_subtile_shared_fixed{.gradientHalves = sums.words()}, job);
    }
    c.dispatchIndirect(kernels::round_gradients{.visibleCount = f.visibleCount,
                                                .gaussianFromVisible = f.gaussianFromVisible,
                                                .projected = f.projected,
                                                .sums = sums,
                                                .gradients = job.buffers.gradients},
                       f.perVisible);
}

template <class Kernel>
void dispatchBuckets(gpu::Commands& c, Kernel kernel, const BackwardJob& job) {
    kernel.bucketCount = job.frame.bucketCount;
    kernel.buckets = job.frame.buckets;
    kernel.checkpoints = job.frame.checkpoints;
    c.dispatchIndirect(withInputs(kernel, job), job.buffers.perBucket);
}

void recordBucket(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    const gpu::BufferSlice sums = job.buffers.gradients.words();
    c.fill(job.buffers.gradients, 0);
    if (device.runs(kernels::blend_backward_bucket::info())) {
        dispatchBuckets(c, kernels::blend_backward_bucket{.gradientFloats = sums}, job);
    } else if (device.has(gpu::Feature::floatAtomics)) {
        dispatchBuckets(c, kernels::blend_backward_bucket_shared{.gradientFloats = sums}, job);
    } else if (device.runs(kernels::blend_backward_bucket_cas::info())) {
        dispatchBuckets(c, kernels::blend_backward_bucket_cas{.gradientWords = sums}, job);
    } else {
        dispatchBuckets(c, kernels::blend_backward_bucket_shared_cas{.gradientWords = sums}, job);
    }
}

void recordTreeCas(gpu::Device&, gpu::Commands& c, const BackwardJob& job) {
    c.fill(job.buffers.gradients, 0);
    const kernels::blend_backward_tree_cas kernel{.gradientWords = job.buffers.gradients.words(),
                                                  .kClampGradients = job.clampGradients ? 1u : 0u};
    c.dispatch2D(withInputs(kernel, job), job.view.width, job.view.height);
}

constexpr AccumulationRow kAccumulations[] = {
    {"subtile", "one pixel a thread, sums over 8x4 pixels as a matrix product in groupshared memory, atomic sums of those", false, false,
     recordSubtile},
    {"fixed-point", "as subtile, but atomic sums of 64-bit integers: bit-identical reruns", true, false, recordFixedPoint},
    {"bucket", "one lane a splat from checkpoints every 32 splats, atomic sums a tile", false, true, recordBucket},
    {"tree-cas", "one pixel a thread, groupshared tree a splat, compare-and-swap sums: needs no feature, slow", false, false,
     recordTreeCas},
};

}  // namespace

std::span<const AccumulationRow> accumulationTable() { return kAccumulations; }

const AccumulationRow& accumulationByName(std::string_view name) {
    std::vector<std::string_view> known;
    for (const AccumulationRow& row : kAccumulations) {
        if (row.name == name) return row;
        known.push_back(row.name);
    }
    throw InputError("accumulate: unknown strategy '{}', expected one of {}", name, fmt::join(known, ", "));
}

BackwardBuffers::BackwardBuffers(gpu::Device& d, const FrameCapacity& capacity, const AccumulationRow& row, gpu::Parts& late)
    : gradients(late.take<shared::SplatGradient>("gradients of splats", capacity.gaussians)),
      fixedSums(late.take<glm::uvec2>("gradients in fixed point", fixedWords(capacity, row))),
      updateCount(d.buffer<uint32_t>("update count", 1)),
      perBucket(d.buffer<shared::DispatchArguments>("groups per bucket", 1)),
      perUpdate(d.buffer<shared::DispatchArguments>("groups per update", 1)) {}

uint64_t BackwardBuffers::lateBytes(const FrameCapacity& capacity, const AccumulationRow& row) {
    return gpu::Parts::bytes<shared::SplatGradient>(capacity.gaussians) + gpu::Parts::bytes<glm::uvec2>(fixedWords(capacity, row));
}

void recordBackward(gpu::Device& device, gpu::Commands& c, const AccumulationRow& row, const BackwardJob& job) {
    const FrameBuffers& f = job.frame;
    CHECK(f.capacity.buckets > 0 || !row.checkpoints, "accumulation '{}' starts from checkpoints, and the frame has none", row.name);
    c.stage("blend backward");
    c.dispatchGroups(kernels::admit_backward{.bucketTotal = f.bucketCount,
                                             .activeCount = f.activeCount,
                                             .state = f.state,
                                             .updateCount = job.buffers.updateCount,
                                             .perBucket = job.buffers.perBucket,
                                             .perUpdate = job.buffers.perUpdate,
                                             .capacity = f.capacity.buckets},
                     1);
    row.record(device, c, job);
}

}  // namespace splat
