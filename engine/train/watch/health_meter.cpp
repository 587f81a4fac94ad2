#include <splatwright/train/watch/health_meter.h>

#include <algorithm>

#include "kernels/share_health.h"
#include "kernels/sum_health.h"

namespace splat {

HealthMeter::HealthMeter(const DensifierInputs& in)
    : tools_(in.device, in.sort, in.settings),
      partials_(in.device.buffer<glm::vec4>("health shares", shared::kReductionGroups)),
      pruneOpacity_(static_cast<float>(in.settings.pruneOpacity)),
      extent_(static_cast<float>(in.sceneExtent)) {}

void HealthMeter::record(gpu::Commands& c, const RefineJob& job, gpu::BufferSlice ring, uint32_t slots) const {
    tools_.recordBegin(c, job);
    // Only groups with Gaussians: each group sums the same ones for any capacity, so that the sums are bit-identical.
    const uint32_t block = kernels::share_health::info().groupSize[0];
    const uint32_t groups = std::min(shared::kReductionGroups, (job.store.model.capacity + block - 1) / block);
    const kernels::share_health share{
        .refinement = job.refinement, .partials = partials_, .pruneOpacity = pruneOpacity_, .extent = extent_};
    c.dispatchGroups(withModel(share, job.store.model), groups);
    c.dispatchGroups(
        kernels::sum_health{.partials = partials_, .training = job.training, .healthRing = ring, .groups = groups, .slots = slots}, 1);
}

ModelHealth HealthMeter::healthOf(const glm::vec4& sums, uint32_t gaussians) {
    const glm::dvec4 shares = glm::dvec4(sums) / static_cast<double>(std::max(1u, gaussians));
    return {.meanOpacity = shares.x, .deadShare = shares.y, .fadingShare = shares.z, .largeShare = shares.w};
}

}  // namespace splat
