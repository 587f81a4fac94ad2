#include <splatwright/train/parts/health_meter.h>

#include <algorithm>

#include <splatwright/train/loss/reduction.h>
#include "kernels/share_health.h"
#include "kernels/sum_health.h"

namespace splat {

HealthMeter::HealthMeter(const DensifierInputs& in)
    : partials_(in.device.buffer<glm::vec4>("health shares", shared::kReductionGroups)),
      settings_(in.settings),
      extent_(static_cast<float>(in.sceneExtent)) {}

void HealthMeter::record(gpu::Commands& c, const RefineJob& job, gpu::BufferSlice ring, uint32_t slots) const {
    const uint32_t groups = reductionGroups(job.store.model.capacity);
    const kernels::share_health share{
        .refinement = job.refinement, .partials = partials_, .pruneOpacity = static_cast<float>(settings_.pruneOpacity), .extent = extent_};
    c.dispatchGroups(withModel(share, job.store.model), groups);
    c.dispatchGroups(
        kernels::sum_health{.partials = partials_, .training = job.training, .healthRing = ring, .groups = groups, .slots = slots}, 1);
}

ModelHealth HealthMeter::healthOf(const glm::vec4& sums, uint32_t gaussians) {
    const glm::dvec4 shares = glm::dvec4(sums) / static_cast<double>(std::max(1u, gaussians));
    return {.meanOpacity = shares.x, .deadShare = shares.y, .fadingShare = shares.z, .largeShare = shares.w};
}

}  // namespace splat
