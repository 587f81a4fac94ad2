#include <splatwright/render/accumulate/inputs.h>
#include "kernels/blend_backward_bucket.h"
#include "kernels/blend_backward_bucket_cas.h"
#include "kernels/blend_backward_bucket_shared.h"
#include "kernels/blend_backward_bucket_shared_cas.h"

namespace splat {

namespace {

template <class Kernel>
void dispatchBuckets(gpu::Commands& c, Kernel kernel, const BackwardJob& job) {
    kernel.bucketCount = job.frame.bucketCount;
    kernel.buckets = job.frame.buckets;
    kernel.checkpoints = job.frame.checkpoints;
    c.dispatchIndirect(withInputs(kernel, job), job.buffers.perBucket);
}

void recordBucket(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    const gpu::BufferSlice sums = job.buffers.gradients.words();
    const gpu::BufferSlice blend = job.buffers.blendSums.words();
    if (device.runs(kernels::blend_backward_bucket::info())) {
        dispatchBuckets(c, kernels::blend_backward_bucket{.gradientFloats = sums, .blendFloats = blend}, job);
    } else if (device.has(gpu::Feature::floatAtomics)) {
        dispatchBuckets(c, kernels::blend_backward_bucket_shared{.gradientFloats = sums, .blendFloats = blend}, job);
    } else if (device.runs(kernels::blend_backward_bucket_cas::info())) {
        dispatchBuckets(c, kernels::blend_backward_bucket_cas{.gradientWords = sums, .blendWords = blend}, job);
    } else {
        dispatchBuckets(c, kernels::blend_backward_bucket_shared_cas{.gradientWords = sums, .blendWords = blend}, job);
    }
}

}  // namespace

extern const AccumulationRow kBucket{
    .name = "bucket",
    .help = "one lane per splat, from pixel states saved every 32 splats; one atomic addition per tile",
    .checkpoints = true,
    .carries = false,  // the checkpoints have no carried values
    .record = recordBucket,
    .withSubgroups = infosOf<kernels::blend_backward_bucket, kernels::blend_backward_bucket_cas>,
};

}  // namespace splat
