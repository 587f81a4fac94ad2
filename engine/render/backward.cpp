#include <splatwright/render/backward.h>

#include <algorithm>
#include <vector>

#include <splatwright/core/table.h>
#include "kernels/admit_backward.h"

namespace splat {

SPLAT_TABLE(AccumulationRow, kAccumulations, kSubtile, kFixedPoint, kBucket, kTreeCas, kAtomic, kCas, kSubgroup, kSerial, kLibrary);

std::span<const AccumulationRow* const> accumulationTable() { return kAccumulations; }

const AccumulationRow& accumulationByName(std::string_view name) { return rowByName(kAccumulations, "accumulate", name); }

namespace {

size_t fixedWords(const FrameCapacity& capacity, const AccumulationRow& row) {
    return row.deterministic ? size_t{shared::kGradientWords} * capacity.gaussians : 0;
}

/// Rows of blend sums; kernels bind one row that they never use if none are wanted.
size_t sumRows(const FrameCapacity& capacity) { return capacity.blendSums ? capacity.gaussians : 1; }

size_t fixedSumWords(const FrameCapacity& capacity, const AccumulationRow& row) {
    return row.deterministic ? shared::kBlendSumWords * sumRows(capacity) : 0;
}

}  // namespace

uint32_t mostGaussians(const gpu::Device& device, const AccumulationRow& row) {
    constexpr uint64_t kAlignment = 256;  // capacities are multiples of it
    const uint64_t fixed = row.deterministic ? shared::kGradientWords * sizeof(glm::uvec2) : 0;
    const uint64_t bytes = std::max({uint64_t{PlanarBuffer::kMostBytes}, sizeof(shared::Projected), sizeof(shared::SplatGradient), fixed});
    const uint64_t bindable = device.limits().maxStorageBufferRange / bytes / kAlignment * kAlignment;
    return static_cast<uint32_t>(std::min<uint64_t>(bindable, FrameCapacity::kMostTrained));
}

BackwardBuffers::BackwardBuffers(gpu::Device& d, const FrameCapacity& capacity, const AccumulationRow& row, gpu::Arena& transient)
    : gradients(transient.take<shared::SplatGradient>("gradients of splats", capacity.gaussians)),
      fixedSums(transient.take<glm::uvec2>("gradients in fixed point", fixedWords(capacity, row))),
      blendSums(transient.take<shared::BlendSums>("blend sums", sumRows(capacity))),
      fixedBlendSums(transient.take<glm::uvec2>("blend sums in fixed point", fixedSumWords(capacity, row))),
      updateCount(d.buffer<uint32_t>("update count", 1)),
      perBucket(d.buffer<shared::DispatchArguments>("groups per bucket", 1)),
      perUpdate(d.buffer<shared::DispatchArguments>("groups per update", 1)) {}

uint64_t BackwardBuffers::transientBytes(const FrameCapacity& capacity, const AccumulationRow& row) {
    return gpu::Arena::bytes<shared::SplatGradient>(capacity.gaussians) + gpu::Arena::bytes<glm::uvec2>(fixedWords(capacity, row)) +
           gpu::Arena::bytes<shared::BlendSums>(sumRows(capacity)) + gpu::Arena::bytes<glm::uvec2>(fixedSumWords(capacity, row));
}

void recordClear(gpu::Commands& c, const AccumulationRow& row, const BackwardBuffers& buffers, BlendSumsKind sums) {
    c.fill(row.deterministic ? buffers.fixedSums : buffers.gradients, 0);
    if (sums != BlendSumsKind::none) c.fill(row.deterministic ? buffers.fixedBlendSums : buffers.blendSums, 0);
}

void recordBackward(gpu::Device& device, gpu::Commands& c, const AccumulationRow& row, const BackwardJob& job) {
    const FrameBuffers& f = job.frame;
    SPLAT_CHECK(f.capacity.buckets > 0 || !row.checkpoints, "accumulation '{}' needs checkpoints, but the frame has none", row.name);
    SPLAT_CHECK(job.sums != BlendSumsKind::values || job.pixelValues, "sums of values need the pixels' values");
    if (job.sums != BlendSumsKind::none) {
        const size_t rows = job.buffers.blendSums.bytes() / sizeof(shared::BlendSums);
        SPLAT_CHECK(rows >= f.capacity.gaussians, "{} rows of blend sums for {} gaussians", rows, f.capacity.gaussians);
    }
    SPLAT_CHECK(job.balanceThreshold <= shared::kBalanceParts, "balance threshold {} of {} parts", job.balanceThreshold,
                shared::kBalanceParts);
    SPLAT_CHECK(row.carries || job.view.carried == CarriedValue::nothing, "accumulation '{}' cannot propagate gradients of carried values",
                row.name);
    c.stage("blend backward");
    if (!job.cleared) recordClear(c, row, job.buffers, job.sums);
    c.dispatchGroups(kernels::admit_backward{.bucketTotal = f.bucketCount,
                                             .activeCount = f.activeCount,
                                             .state = f.state,
                                             .updateCount = job.buffers.updateCount,
                                             .perBucket = job.buffers.perBucket,
                                             .perUpdate = job.buffers.perUpdate,
                                             .capacity = f.capacity.buckets},
                     1);
    job.model.kind.row->recordBackward(device, c, row, job);
}

}  // namespace splat
