#include <cmath>
#include <memory>

#include <splatwright/primitives/cdf.h>
#include <splatwright/primitives/compact.h>
#include <splatwright/train/densify/mcmc_settings.h>
#include <splatwright/train/densify/refinement.h>
#include "kernels/close_growth.h"
#include "kernels/copy_gaussians.h"
#include "kernels/keep_draws.h"
#include "kernels/plan_dispatch.h"
#include "kernels/plan_growth.h"
#include "kernels/relocate_sources.h"
#include "kernels/weigh_gaussians.h"

namespace splat {

namespace {

/// 3DGS as Markov chain Monte Carlo (Kheradmand et al. 2024): dead Gaussians are relocated to opaque ones, and new ones are added there, up to
/// max_splats. The opaque ones are drawn in proportion to opacity, by systematic resampling.
class McmcDensifier {
public:
    explicit McmcDensifier(const DensifierInputs& inputs);

    void recordRefinement(gpu::Commands& commands, const RefineJob& job, bool sorted);
    /// Of growth, the last draw of a refinement.
    const primitives::CdfTable* drawnFrom() const { return table_ ? &*table_ : nullptr; }

private:
    enum class Copies { toDead, behind };
    void makeTable(uint32_t capacity);

    void recordPlan(gpu::Commands& commands, const RefineJob& job) const;
    void recordWeights(gpu::Commands& commands, const RefineJob& job) const;
    void recordDraw(gpu::Commands& commands, const RefineJob& job, const gpu::Buffer& draws, uint32_t stream) const;
    void recordCopies(gpu::Commands& commands, const RefineJob& job, Copies copies) const;

    // Borrowed from the frame. Flags of kept draws lie over weights, kept draws over flags of the dead.
    static gpu::BufferSlice dead(const RefineJob& job) { return job.frame.tileCounts; }
    static gpu::BufferSlice deadPlaces(const RefineJob& job) { return job.frame.gaussianFromVisible; }
    static gpu::BufferSlice weights(const RefineJob& job) { return job.frame.depthKeysB; }
    static gpu::BufferSlice sources(const RefineJob& job) { return job.frame.gaussiansB; }
    static gpu::BufferSlice multiplicities(const RefineJob& job) { return job.frame.firstInstances; }

    gpu::Device& device_;
    primitives::Compaction compaction_;
    primitives::Cdf cdf_;
    std::optional<primitives::CdfTable> table_;  // one element per Gaussian
    uint32_t tableCapacity_ = 0;
    std::optional<gpu::Commands> clearedPlan_;  // kept for the GPU
    gpu::Buffer deadCount_, newCount_, keptCount_, perCopy_;
    float pruneOpacity_;
    uint32_t growth_;  // fraction of the present count, in 2^-32
};

McmcDensifier::McmcDensifier(const DensifierInputs& in)
    : device_(in.device),
      compaction_(in.device),
      cdf_(in.device),
      deadCount_(in.device.buffer<uint32_t>("dead gaussians", 1)),
      newCount_(in.device.buffer<uint32_t>("new gaussians", 1)),
      keptCount_(in.device.buffer<uint32_t>("kept draws", 1)),
      perCopy_(in.device.buffer<shared::DispatchArguments>("groups per copy", 1)),
      pruneOpacity_(static_cast<float>(in.settings.pruneOpacity)),
      // Rounded up, so that the product's integer part is exact.
      growth_(static_cast<uint32_t>(std::min(std::ceil((in.settings.of<McmcSettings>().growFactor - 1) * 0x1p32), 0x1p32 - 1))) {}

/// Of which nothing is drawn yet. Nobody waits for that: later submissions come after it.
void McmcDensifier::makeTable(uint32_t capacity) {
    table_.emplace(cdf_.table("opacities", tableCapacity_ = capacity));
    clearedPlan_.emplace(device_, "clear the plan of draws");
    clearedPlan_->fill(table_->plan, 0);
    clearedPlan_->end();
    device_.submit(*clearedPlan_);
}

void McmcDensifier::recordRefinement(gpu::Commands& c, const RefineJob& job, bool sorted) {
    const uint32_t capacity = job.store.model.capacity;
    if (tableCapacity_ != capacity) makeTable(capacity);
    recordPlan(c, job);
    recordWeights(c, job);
    recordDraw(c, job, deadCount_, shared::kRelocationStream);
    recordCopies(c, job, Copies::toDead);
    recordWeights(c, job);
    recordDraw(c, job, newCount_, shared::kGrowthStream);
    recordCopies(c, job, Copies::behind);
    c.dispatchGroups(kernels::close_growth{.drawn = keptCount_, .refinement = job.refinement, .perAfter = job.tools.perAfter}, 1);
    if (!sorted) return;
    job.tools.recordOrder(c, job);
    job.tools.recordSortByPlace(c, job);
    job.tools.recordPermutation(c, job);
}

void McmcDensifier::recordPlan(gpu::Commands& c, const RefineJob& job) const {
    c.dispatchGroups(kernels::plan_growth{.state = job.frame.state,
                                          .refinement = job.refinement,
                                          .newCount = newCount_,
                                          .perBefore = job.tools.perBefore,
                                          .growth = growth_,
                                          .limit = job.limit,
                                          .capacity = job.store.model.capacity},
                     1);
}

void McmcDensifier::recordWeights(gpu::Commands& c, const RefineJob& job) const {
    const primitives::Count before{job.frame.capacity.gaussians, RefinementTools::word(job, shared::kRefinementBefore)};
    const kernels::weigh_gaussians kernel{
        .refinement = job.refinement, .dead = dead(job), .weights = weights(job), .pruneOpacity = pruneOpacity_};
    c.dispatchIndirect(withMoments(withModel(kernel, job.store.model), job.store.moments), job.tools.perBefore);
    compaction_.record(c, {dead(job), deadPlaces(job), {deadCount_}, job.tools.scanScratch}, before);
    cdf_.record(c, {weights(job), *table_}, before);
}

/// Draws Gaussians and relocates them, ready to be copied.
void McmcDensifier::recordDraw(gpu::Commands& c, const RefineJob& job, const gpu::Buffer& draws, uint32_t stream) const {
    cdf_.recordSystematic(c,
                          {.table = *table_,
                           .seed = RefinementTools::word(job, shared::kRefinementSeed),
                           .stream = stream,
                           .sources = sources(job),
                           .multiplicities = multiplicities(job)},
                          {job.frame.capacity.gaussians, {draws}});
    const kernels::keep_draws keep{
        .draws = table_->plan.words(), .sources = sources(job), .kept = weights(job), .pruneOpacity = pruneOpacity_};
    c.dispatchIndirect(withModel(keep, job.store.model), table_->arguments);
    compaction_.record(c, {weights(job), dead(job), {keptCount_}, job.tools.scanScratch}, {job.frame.capacity.gaussians, table_->drawn()});
    const kernels::relocate_sources kernel{
        .refinement = job.refinement, .multiplicities = multiplicities(job), .pruneOpacity = pruneOpacity_};
    c.dispatchIndirect(withMoments(withModel(kernel, job.store.model), job.store.moments), job.tools.perBefore);
}

void McmcDensifier::recordCopies(gpu::Commands& c, const RefineJob& job, Copies copies) const {
    c.dispatchGroups(
        kernels::plan_dispatch{.counts = keptCount_, .arguments = perCopy_, .rows = 1, .thingsPerGroup = glm::uvec4(shared::kBlock)}, 1);
    const kernels::copy_gaussians kernel{.copies = keptCount_,
                                         .kept = dead(job),
                                         .sources = sources(job),
                                         .places = deadPlaces(job),
                                         .refinement = job.refinement,
                                         .unseenSteps = job.store.unseenSteps,
                                         .kAppend = copies == Copies::behind ? 1u : 0u,
                                         .kUnseen = job.store.countsUnseen ? 1u : 0u};
    c.dispatchIndirect(withMoments(withModel(kernel, job.store.model), job.store.moments), perCopy_);
}

std::vector<RefineEvent> eventsOf(const DensifierInputs& inputs) {
    const auto densifier = std::make_shared<McmcDensifier>(inputs);
    std::vector<RefineEvent> events = refinementEvents(
        inputs.settings, [=](gpu::Commands& c, const RefineJob& job, bool sorted) { densifier->recordRefinement(c, job, sorted); });
    for (RefineEvent& event : events) event.drawnFrom = [=] { return densifier->drawnFrom(); };
    return events;
}

/// Defaults of gsplat's preset `mcmc`.
void setDefaults(TrainSettings& s) {
    s.maxSplats = 1'000'000;
    s.densifyUntil = 25'000;
    s.initOpacity = 0.5;
    s.initScale = 0.1;
    s.noiseLr = 5e5;
    s.opacityReg = 0.01;
    s.scaleReg = 0.01;
    s.fadeSteps = 10;
}

}  // namespace

extern const DensifierRow kMcmcStrategy{
    .name = "mcmc",
    .help = "relocates dead Gaussians to opaque ones and grows to max_splats, with noise (Kheradmand et al. 2024)",
    .settings = SettingsPart::byDefault<McmcSettings>,
    .defaults = setDefaults,
    .events = eventsOf,
};

}  // namespace splat
