#include <algorithm>
#include <iterator>
#include <memory>

#include <splatwright/core/error.h>
#include <splatwright/train/densify/budget_settings.h>
#include <splatwright/train/densify/division.h>
#include "kernels/choose_drawn.h"
#include "kernels/decay_opacities.h"
#include "kernels/plan_budget.h"
#include "kernels/score_gaussians.h"

namespace splat {

namespace {

constexpr primitives::BitWindow kKeyWindow{0, 32};
static_assert(primitives::resultSide(kKeyWindow) == primitives::Side::a);

/// Grows to max_splats along a schedule; who divides is drawn without replacement in proportion to a score.
class BudgetDensifier {
public:
    explicit BudgetDensifier(const DensifierInputs& inputs);

    void recordRefinement(gpu::Commands& commands, const RefineJob& job, bool sorted) const;
    void recordDecay(gpu::Commands& commands, const RefineJob& job) const;

private:
    void recordScores(gpu::Commands& commands, const RefineJob& job) const;
    void recordPlan(gpu::Commands& commands, const RefineJob& job) const;
    void recordDraw(gpu::Commands& commands, const RefineJob& job) const;

    // Borrowed from the frame until the Gaussians get their places.
    static gpu::BufferSlice keys(const RefineJob& job) { return job.frame.depthKeysA; }
    static gpu::BufferSlice gaussians(const RefineJob& job) { return job.frame.gaussiansA; }

    TrainSettings settings_;
    BudgetSettings own_;
    float cloneScale_;
    Division division_;
    const primitives::RadixSort* sort_;
    gpu::Buffer wanted_;
};

BudgetDensifier::BudgetDensifier(const DensifierInputs& in)
    : settings_(in.settings),
      own_(in.settings.of<BudgetSettings>()),
      cloneScale_(static_cast<float>(own_.cloneScale * in.sceneExtent)),
      division_(in.settings),
      sort_(&in.sort),
      wanted_(in.device.buffer<uint32_t>("wanted gaussians", 1)) {}

void BudgetDensifier::recordRefinement(gpu::Commands& c, const RefineJob& job, bool sorted) const {
    recordScores(c, job);
    division_.recordKept(c, job);
    recordPlan(c, job);
    recordDraw(c, job);
    division_.recordAdmission(c, job);
    division_.recordPlaces(c, job, sorted);
    division_.recordChildren(c, job, true);
}

void BudgetDensifier::recordScores(gpu::Commands& c, const RefineJob& job) const {
    const auto score = std::ranges::distance(kBudgetScores.begin(), std::ranges::find(kBudgetScores, own_.score));
    const kernels::score_gaussians kernel{.refinement = job.refinement,
                                          .densifyStatistics = job.store.densifyStatistics,
                                          .blendStatistics = job.store.blendStatistics,
                                          .decisions = Division::decisions(job),
                                          .kept = Division::kept(job),
                                          .keys = keys(job),
                                          .gaussians = gaussians(job),
                                          .pruneOpacity = static_cast<float>(settings_.pruneOpacity),
                                          .cloneScale = cloneScale_,
                                          .pruneWeight = static_cast<float>(own_.pruneWeight),
                                          .kScore = static_cast<uint32_t>(score),  // of shaders/lib/densify/scores.slang
                                          .kBlendStatistics = job.store.hasBlendStatistics ? 1u : 0u};
    c.dispatchIndirect(withModel(kernel, job.store.model), job.tools.perBefore);
}

void BudgetDensifier::recordPlan(gpu::Commands& c, const RefineJob& job) const {
    c.dispatchGroups(kernels::plan_budget{.refinement = job.refinement,
                                          .training = job.training,
                                          .wanted = wanted_,
                                          .target = job.limit,
                                          .from = settings_.densifyFrom,
                                          .until = settings_.densifyUntil,
                                          .interval = settings_.densifyInterval,
                                          .power = static_cast<float>(own_.growPower)},
                     1);
}

void BudgetDensifier::recordDraw(gpu::Commands& c, const RefineJob& job) const {
    const FrameBuffers& f = job.frame;
    sort_->record(c, {.buffers = {keys(job), gaussians(job), f.depthKeysB, f.gaussiansB}, .window = kKeyWindow, .scratch = f.sortScratch},
                  {f.capacity.gaussians, RefinementTools::word(job, shared::kRefinementBefore)});
    c.dispatchIndirect(kernels::choose_drawn{.refinement = job.refinement,
                                             .wanted = wanted_,
                                             .keys = keys(job),
                                             .gaussians = gaussians(job),
                                             .decisions = Division::decisions(job),
                                             .requested = Division::requested(job)},
                       job.tools.perBefore);
}

void BudgetDensifier::recordDecay(gpu::Commands& c, const RefineJob& job) const {
    const kernels::decay_opacities kernel{
        .refinement = job.refinement, .factor = static_cast<float>(own_.decayFactor), .least = static_cast<float>(own_.decayLeast)};
    c.dispatchIndirect(withMoments(withModel(kernel, job.store.model), job.store.moments), job.tools.perBefore);
}

std::vector<RefineEvent> eventsOf(const DensifierInputs& inputs) {
    const auto densifier = std::make_shared<BudgetDensifier>(inputs);
    const TrainSettings s = inputs.settings;
    const uint32_t decayEvery = s.of<BudgetSettings>().decayEvery;
    std::vector<RefineEvent> events = refinementEvents(
        inputs.settings, [=](gpu::Commands& c, const RefineJob& job, bool sorted) { densifier->recordRefinement(c, job, sorted); });
    events.push_back({"decay opacities",
                      [=](uint32_t steps) { return decayEvery > 0 && steps % decayEvery == 0 && steps < s.densifyUntil; },
                      [=](gpu::Commands& c, const RefineJob& job) { densifier->recordDecay(c, job); }});
    return events;
}

Statistics statisticsOf(const TrainSettings& s) {
    const std::string& score = s.of<BudgetSettings>().score;
    return score.starts_with("gradient") || score == "edge" ? Statistics::absoluteGradient : Statistics::gradient;
}

BlendStatistics blendStatisticsOf(const TrainSettings& s) {
    const auto& own = s.of<BudgetSettings>();
    if (own.score == "variance") return {.sums = BlendSumsKind::errors};
    PixelValue value = PixelValue::none;  // that the score weighs by blending weights
    if (own.score.starts_with("error")) value = own.score == "error-pixels" ? PixelValue::highError : PixelValue::error;
    if (own.score == "edge") value = PixelValue::edge;
    const BlendSumsKind withoutValues = own.pruneWeight > 0 ? BlendSumsKind::weights : BlendSumsKind::none;
    return {.sums = value != PixelValue::none ? BlendSumsKind::values : withoutValues,
            .pixelValue = value,
            .errorThreshold = own.errorThreshold};
}

void setDefaults(TrainSettings& s) {
    s.maxSplats = 500'000;
    s.lrOpacities = 0.025;
}

}  // namespace

extern const DensifierRow kBudgetStrategy{
    .name = "budget",
    .help = "grows to max_splats along a schedule; who divides is drawn in proportion to a score",
    .settings = SettingsPart::byDefault<BudgetSettings>,
    .defaults = setDefaults,
    .check =
        [](const TrainSettings& s) {
            const auto& own = s.of<BudgetSettings>();
            if (own.decayEvery > 0 && own.decayLeast <= s.pruneOpacity)
                throw InputError("decay_least is {}, expected more than prune_opacity, which is {}", own.decayLeast, s.pruneOpacity);
        },
    .statistics = statisticsOf,
    .blend = blendStatisticsOf,
    .events = eventsOf,
};

}  // namespace splat
