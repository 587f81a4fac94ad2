#include <cmath>
#include <limits>
#include <memory>

#include "kernels/admit_births.h"
#include "kernels/judge_gaussians.h"
#include "kernels/place_gaussians.h"
#include "kernels/reset_opacities.h"
#include "kernels/shape_parts.h"
#include "train/densify/refinement.h"

namespace splat {

namespace {

/// The standard recipe (Kerbl et al. 2023) with gsplat's defaults.
class DefaultDensifier {
public:
    explicit DefaultDensifier(const DensifierInputs& inputs);

    void recordRefinement(gpu::Commands& commands, const RefineJob& job, bool sorted) const;
    void recordReset(gpu::Commands& commands, const RefineJob& job) const;

private:
    void recordVerdicts(gpu::Commands& commands, const RefineJob& job) const;
    void recordPlaces(gpu::Commands& commands, const RefineJob& job) const;
    void recordParts(gpu::Commands& commands, const RefineJob& job) const;

    // Borrowed from the frame.
    static gpu::BufferSlice verdicts(const RefineJob& job) { return job.frame.gaussianFromVisible; }
    static gpu::BufferSlice kept(const RefineJob& job) { return job.frame.tileCounts; }
    static gpu::BufferSlice births(const RefineJob& job) { return job.frame.firstInstances; }

    RefinementTools tools_;
    gpu::Buffer rules_;
    float resetLogit_;
    bool revisedOpacity_;
};

shared::GrowthRules growthRules(const TrainSettings& s, double extent) {
    return {.gradient = static_cast<float>(s.growGrad2d),
            .scale = static_cast<float>(s.growScale3d * extent),
            .radius = static_cast<float>(s.growScale2d),
            .pruneOpacity = static_cast<float>(s.pruneOpacity),
            .pruneScale = s.pruneScale3d > 0 ? static_cast<float>(s.pruneScale3d * extent) : std::numeric_limits<float>::infinity(),
            .pruneRadius = static_cast<float>(s.pruneScale2d),
            .radiusUntil = s.scale2dUntil,
            .resetEvery = s.resetEvery,
            .revisedOpacity = s.revisedOpacity ? 1u : 0u};
}

DefaultDensifier::DefaultDensifier(const DensifierInputs& in)
    : tools_(in.device, in.sort, in.settings),
      rules_(in.device.buffer<shared::GrowthRules>("growth rules", 1)),
      resetLogit_(static_cast<float>(std::log(in.settings.resetOpacity / (1 - in.settings.resetOpacity)))),
      revisedOpacity_(in.settings.revisedOpacity) {
    in.device.upload(rules_, std::vector{growthRules(in.settings, in.sceneExtent)});
}

void DefaultDensifier::recordRefinement(gpu::Commands& c, const RefineJob& job, bool sorted) const {
    tools_.recordBegin(c, job);
    recordVerdicts(c, job);
    recordPlaces(c, job);
    if (sorted) tools_.recordSortByPlace(c, job);
    tools_.recordPermutation(c, job);
    recordParts(c, job);
}

void DefaultDensifier::recordVerdicts(gpu::Commands& c, const RefineJob& job) const {
    const GaussianModel& model = job.store.model;
    c.dispatchIndirect(kernels::judge_gaussians{.refinement = job.refinement,
                                                .rules = rules_,
                                                .training = job.training,
                                                .growth = job.store.growth,
                                                .verdicts = verdicts(job),
                                                .kept = kept(job),
                                                .births = births(job),
                                                .means = model.means,
                                                .rotations = model.rotations,
                                                .logScales = model.logScales,
                                                .logitOpacities = model.logitOpacities,
                                                .sh0 = model.sh0,
                                                .shRest = model.shRest,
                                                .capacity = model.capacity},
                       tools_.perBefore);
    const primitives::Count before{job.frame.capacity.gaussians, RefinementTools::word(job, kRefinementBefore)};
    tools_.scan.record(c, {kept(job), kept(job), RefinementTools::word(job, kRefinementKept), tools_.scanScratch}, before);
    tools_.scan.record(c, {births(job), births(job), RefinementTools::word(job, kRefinementBirths), tools_.scanScratch}, before);
    c.dispatchGroups(kernels::admit_births{.state = job.frame.state,
                                           .refinement = job.refinement,
                                           .perBefore = tools_.perBefore,
                                           .perAfter = tools_.perAfter,
                                           .limit = job.limit,
                                           .capacity = model.capacity},
                     1);
}

void DefaultDensifier::recordPlaces(gpu::Commands& c, const RefineJob& job) const {
    c.dispatchIndirect(kernels::place_gaussians{.refinement = job.refinement,
                                                .verdicts = verdicts(job),
                                                .keptBefore = kept(job),
                                                .birthsBefore = births(job),
                                                .means = job.store.model.means,
                                                .parents = RefinementTools::parents(job),
                                                .codes = RefinementTools::codes(job)},
                       tools_.perBefore);
}

void DefaultDensifier::recordParts(gpu::Commands& c, const RefineJob& job) const {
    const GaussianModel& model = job.store.model;
    c.dispatchIndirect(kernels::shape_parts{.refinement = job.refinement,
                                            .parents = RefinementTools::parents(job),
                                            .rotations = model.rotations,
                                            .means = model.means,
                                            .logScales = model.logScales,
                                            .logitOpacities = model.logitOpacities,
                                            .revisedOpacity = revisedOpacity_ ? 1u : 0u},
                       tools_.perAfter);
}

void DefaultDensifier::recordReset(gpu::Commands& c, const RefineJob& job) const {
    tools_.recordBegin(c, job);
    c.dispatchIndirect(kernels::reset_opacities{.refinement = job.refinement,
                                                .logitOpacities = job.store.model.logitOpacities,
                                                .opacityMoments = job.store.moments.logitOpacities,
                                                .atMost = resetLogit_},
                       tools_.perBefore);
}

}  // namespace

std::vector<RefineEvent> defaultEvents(const DensifierInputs& inputs) {
    const auto densifier = std::make_shared<DefaultDensifier>(inputs);
    const TrainSettings s = inputs.settings;
    const auto refines = [s](uint32_t steps, bool sorted) { return refinesAfter(s, steps) && sortsByPlace(s, steps) == sorted; };
    return {{"refine", [=](uint32_t steps) { return refines(steps, false); },
             [=](gpu::Commands& c, const RefineJob& job) { densifier->recordRefinement(c, job, false); }},
            {"refine and sort", [=](uint32_t steps) { return refines(steps, true); },
             [=](gpu::Commands& c, const RefineJob& job) { densifier->recordRefinement(c, job, true); }},
            {"reset opacities", [s](uint32_t steps) { return s.resetEvery > 0 && steps % s.resetEvery == 0 && steps < s.densifyUntil; },
             [=](gpu::Commands& c, const RefineJob& job) { densifier->recordReset(c, job); }}};
}

}  // namespace splat
