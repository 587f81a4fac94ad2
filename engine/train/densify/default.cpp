#include <cmath>
#include <limits>
#include <memory>

#include <splatwright/core/error.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/division.h>
#include "kernels/classify_gaussians.h"
#include "kernels/reset_opacities.h"

namespace splat {

namespace {

/// The standard densification (Kerbl et al. 2023).
class DefaultDensifier {
public:
    explicit DefaultDensifier(const DensifierInputs& inputs);

    void recordRefinement(gpu::Commands& commands, const RefineJob& job, bool sorted) const;
    void recordReset(gpu::Commands& commands, const RefineJob& job) const;

private:
    void recordDecisions(gpu::Commands& commands, const RefineJob& job) const;

    Division division_;
    gpu::Buffer rules_;
    float resetLogit_;
    bool revisedOpacity_;
};

double logit(double opacity) { return std::log(opacity / (1 - opacity)); }

DefaultDensifier::DefaultDensifier(const DensifierInputs& in)
    : division_(in.settings),
      rules_(in.device.buffer<shared::DensifyRules>("densify rules", 1)),
      resetLogit_(static_cast<float>(logit(in.settings.of<DefaultStrategySettings>().resetOpacity))),
      revisedOpacity_(in.settings.of<DefaultStrategySettings>().revisedOpacity) {
    const auto& s = in.settings.of<DefaultStrategySettings>();
    const shared::DensifyRules rules{
        .gradient = static_cast<float>(s.growGrad2d),
        .scale = static_cast<float>(s.growScale3d * in.sceneExtent),
        .radius = static_cast<float>(s.growScale2d),
        .pruneOpacity = static_cast<float>(in.settings.pruneOpacity),
        .pruneScale = s.pruneScale3d > 0 ? static_cast<float>(s.pruneScale3d * in.sceneExtent) : std::numeric_limits<float>::infinity(),
        .pruneRadius = static_cast<float>(s.pruneScale2d),
        .radiusUntil = s.scale2dUntil,
        .pruneScaleFrom = s.pruneScaleFrom,
        .revisedOpacity = s.revisedOpacity ? 1u : 0u};
    in.device.upload(rules_, std::vector{rules});
}

void DefaultDensifier::recordRefinement(gpu::Commands& c, const RefineJob& job, bool sorted) const {
    recordDecisions(c, job);
    division_.recordKept(c, job);
    division_.recordAdmission(c, job);
    division_.recordPlaces(c, job, sorted);
    division_.recordChildren(c, job, revisedOpacity_);
}

void DefaultDensifier::recordDecisions(gpu::Commands& c, const RefineJob& job) const {
    const kernels::classify_gaussians kernel{.refinement = job.refinement,
                                             .rules = rules_,
                                             .training = job.training,
                                             .densifyStatistics = job.store.densifyStatistics,
                                             .decisions = Division::decisions(job),
                                             .kept = Division::kept(job),
                                             .requested = Division::requested(job)};
    c.dispatchIndirect(withModel(kernel, job.store.model), job.tools.perBefore);
}

void DefaultDensifier::recordReset(gpu::Commands& c, const RefineJob& job) const {
    const kernels::reset_opacities kernel{.refinement = job.refinement, .atMost = resetLogit_};
    c.dispatchIndirect(withMoments(withModel(kernel, job.store.model), job.store.moments), job.tools.perBefore);
}

std::vector<RefineEvent> eventsOf(const DensifierInputs& inputs) {
    const auto densifier = std::make_shared<DefaultDensifier>(inputs);
    const TrainSettings s = inputs.settings;
    const uint32_t resetEvery = s.of<DefaultStrategySettings>().resetEvery;
    std::vector<RefineEvent> events = refinementEvents(
        inputs.settings, [=](gpu::Commands& c, const RefineJob& job, bool sorted) { densifier->recordRefinement(c, job, sorted); });
    events.push_back({"reset opacities",
                      [=](uint32_t steps) { return resetEvery > 0 && steps % resetEvery == 0 && steps < s.densifyUntil; },
                      [=](gpu::Commands& c, const RefineJob& job) { densifier->recordReset(c, job); }});
    return events;
}

Statistics statisticsOf(const TrainSettings& settings) {
    return settings.of<DefaultStrategySettings>().absoluteGradients ? Statistics::absoluteGradient : Statistics::gradient;
}

/// Preset gsplat takes these back.
void setDefaults(TrainSettings& s) {
    s.maxPasses = 130;
    s.minSteps = 10'000;
    s.antialiased = true;
    s.randomBackground = true;
    s.lrShRest = 3e-4;
    s.pruneOpacity = 0.02;
}

}  // namespace

extern const DensifierRow kDefaultStrategy{
    .name = "default",
    .help = "divides by positional gradient, prunes transparent and large Gaussians (Kerbl et al. 2023)",
    .settings = SettingsPart::byDefault<DefaultStrategySettings>,
    .defaults = setDefaults,
    .check =
        [](const TrainSettings& s) {
            const auto& own = s.of<DefaultStrategySettings>();
            if (own.resetEvery > 0 && own.resetOpacity <= s.pruneOpacity)
                throw InputError("reset_opacity is {}, expected more than prune_opacity, which is {}", own.resetOpacity, s.pruneOpacity);
            if (own.revisedOpacity && s.longAxisSplit)
                throw InputError(
                    "revised_opacity is 'true', expected 'false' with long_axis_split, which sets its children's opacity itself");
        },
    .statistics = statisticsOf,
    .events = eventsOf,
};

}  // namespace splat
