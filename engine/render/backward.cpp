#include "render/backward.h"

#include <vector>

#include <fmt/ranges.h>

#include "kernels/admit_backward.h"
#include "kernels/blend_backward_bucket.h"
#include "kernels/blend_backward_bucket_cas.h"
#include "kernels/blend_backward_bucket_shared.h"
#include "kernels/blend_backward_bucket_shared_cas.h"
#include "kernels/blend_backward_ordered.h"
#include "kernels/blend_backward_ordered_shared.h"
#include "kernels/blend_backward_tree_cas.h"
#include "kernels/clear_partials.h"

namespace splat {

namespace {

constexpr uint32_t kBucketSize = 32;  // lanes of the bucket kernels; shaders/lib/constants.slang

/// Whether a group of 32 can be one subgroup, whose lanes shift values without a barrier.
bool hasSubgroupOf32(const gpu::Device& device) {
    return device.has(gpu::Feature::subgroupOperations) && (device.canPinSubgroup(kBucketSize) || device.subgroupSize() == kBucketSize);
}

uint32_t pinnedSize(const gpu::Device& device) { return device.canPinSubgroup(kBucketSize) ? kBucketSize : 0; }

/// The buffers that every backward kernel of a splat a lane reads.
template <class Kernel>
Kernel withBucketInputs(Kernel k, const BackwardJob& job) {
    const FrameBuffers& f = job.frame;
    k.tileRanges = f.tileRanges;
    k.emissionFromInstance = Forward::emissionFromInstance(f, job.view);
    k.gaussianFromEmission = f.gaussianFromEmission;
    k.projected = f.projected;
    k.colours = f.colours;
    k.colourGradients = job.colourGradients;
    k.lastContributors = f.lastContributors;
    k.tileLast = f.tileLast;
    k.bucketCount = f.bucketCount;
    k.buckets = f.buckets;
    k.checkpoints = f.checkpoints;
    k.size = {job.view.width, job.view.height};
    return k;
}

template <class Kernel>
void dispatchBuckets(gpu::Commands& c, Kernel kernel, const BackwardJob& job) {
    c.dispatchIndirect(withBucketInputs(kernel, job), job.buffers.perBucket);
}

void recordBucket(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    const gpu::BufferSlice sums = job.buffers.gradients.words();
    const bool atomics = device.has(gpu::Feature::floatAtomics);
    c.fill(job.buffers.gradients, 0);
    if (hasSubgroupOf32(device)) {
        const uint32_t size = pinnedSize(device);
        if (atomics) return dispatchBuckets(c, kernels::blend_backward_bucket{.gradientFloats = sums, .subgroupSize = size}, job);
        return dispatchBuckets(c, kernels::blend_backward_bucket_cas{.gradientWords = sums, .subgroupSize = size}, job);
    }
    if (atomics) return dispatchBuckets(c, kernels::blend_backward_bucket_shared{.gradientFloats = sums}, job);
    dispatchBuckets(c, kernels::blend_backward_bucket_shared_cas{.gradientWords = sums}, job);
}

void recordOrdered(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    c.dispatchIndirect(kernels::clear_partials{.instanceCount = job.frame.instanceCount, .partials = job.buffers.gradients},
                       job.frame.perInstance);
    if (hasSubgroupOf32(device)) {
        return dispatchBuckets(c, kernels::blend_backward_ordered{.partials = job.buffers.gradients, .subgroupSize = pinnedSize(device)},
                               job);
    }
    dispatchBuckets(c, kernels::blend_backward_ordered_shared{.partials = job.buffers.gradients}, job);
}

void recordTreeCas(gpu::Device&, gpu::Commands& c, const BackwardJob& job) {
    const FrameBuffers& f = job.frame;
    c.fill(job.buffers.gradients, 0);
    c.dispatch2D(kernels::blend_backward_tree_cas{.tileRanges = f.tileRanges,
                                                  .emissionFromInstance = Forward::emissionFromInstance(f, job.view),
                                                  .gaussianFromEmission = f.gaussianFromEmission,
                                                  .projected = f.projected,
                                                  .colours = f.colours,
                                                  .colourGradients = job.colourGradients,
                                                  .lastContributors = f.lastContributors,
                                                  .tileLast = f.tileLast,
                                                  .gradientWords = job.buffers.gradients.words(),
                                                  .size = {job.view.width, job.view.height},
                                                  .kClampGradients = job.clampGradients ? 1u : 0u},
                 job.view.width, job.view.height);
}

constexpr AccumulationRow kAccumulations[] = {
    {"bucket", "one lane a splat from checkpoints every 32 splats, atomic sums a tile", false, false, recordBucket},
    {"ordered", "as bucket, but one row an instance summed in order: bit-identical reruns", true, true, recordOrdered},
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

BackwardBuffers::BackwardBuffers(gpu::Device& d, const FrameCapacity& capacity, const AccumulationRow& row)
    : gradients(d.buffer<shared::SplatGradient>(row.ordered ? "gradient rows of instances" : "gradients of splats",
                                                row.ordered ? capacity.instances : capacity.gaussians)),
      updateCount(d.buffer<uint32_t>("update count", 1)),
      perBucket(d.buffer<shared::DispatchArguments>("groups per bucket", 1)),
      perUpdate(d.buffer<shared::DispatchArguments>("groups per update", 1)) {}

void recordBackward(gpu::Device& device, gpu::Commands& c, const AccumulationRow& row, const BackwardJob& job) {
    const FrameBuffers& f = job.frame;
    CHECK(f.capacity.buckets > 0, "the frame has no buckets: it was made for pictures, not for training");
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
