#include <cmath>
#include <memory>

#include "kernels/close_growth.h"
#include "kernels/copy_gaussians.h"
#include "kernels/plan_dispatch.h"
#include "kernels/plan_growth.h"
#include "kernels/relocate_sources.h"
#include "kernels/weigh_gaussians.h"
#include "primitives/cdf.h"
#include "primitives/compact.h"
#include "train/densify/refinement.h"

namespace splat {

namespace {

constexpr uint32_t kBlock = 256;  // shaders/lib/constants.slang

// Streams of random numbers, beside those of the kernels.
constexpr uint32_t kRelocationStream = 3;
constexpr uint32_t kGrowthStream = 4;

/// 3DGS as Markov chain Monte Carlo (Kheradmand et al. 2024): dead gaussians move to where opaque ones are, and some are added there,
/// until there are max_splats. Which ones make room is drawn by systematic resampling, in proportion to opacity.
class McmcDensifier {
public:
    explicit McmcDensifier(const DensifierInputs& inputs);

    void recordRefinement(gpu::Commands& commands, const RefineJob& job, bool sorted);

private:
    enum class Copies { toDead, behind };

    void recordPlan(gpu::Commands& commands, const RefineJob& job) const;
    void recordWeights(gpu::Commands& commands, const RefineJob& job) const;
    void recordDraw(gpu::Commands& commands, const RefineJob& job, const gpu::Buffer& draws, uint32_t stream) const;
    void recordCopies(gpu::Commands& commands, const RefineJob& job, Copies copies) const;

    // Borrowed from the frame.
    static gpu::BufferSlice dead(const RefineJob& job) { return job.frame.tileCounts; }
    static gpu::BufferSlice deadPlaces(const RefineJob& job) { return job.frame.gaussianFromVisible; }
    static gpu::BufferSlice weights(const RefineJob& job) { return job.frame.depthKeysB; }
    static gpu::BufferSlice sources(const RefineJob& job) { return job.frame.gaussiansB; }
    static gpu::BufferSlice multiplicities(const RefineJob& job) { return job.frame.firstInstances; }

    gpu::Device& device_;
    RefinementTools tools_;
    primitives::Compaction compaction_;
    primitives::Cdf cdf_;
    std::optional<primitives::CdfTable> table_;  // as long as the model
    uint32_t tableCapacity_ = 0;
    gpu::Buffer deadCount_, newCount_, perCopy_;
    float pruneOpacity_;
    uint32_t growth_;  // 2^-32 of the gaussians there are
};

McmcDensifier::McmcDensifier(const DensifierInputs& in)
    : device_(in.device),
      tools_(in.device, in.sort, in.settings),
      compaction_(in.device),
      cdf_(in.device),
      deadCount_(in.device.buffer<uint32_t>("dead gaussians", 1)),
      newCount_(in.device.buffer<uint32_t>("new gaussians", 1)),
      perCopy_(in.device.buffer<shared::DispatchArguments>("groups per copy", 1)),
      pruneOpacity_(static_cast<float>(in.settings.pruneOpacity)),
      // Rounded up, so that the product's whole part is that of real numbers.
      growth_(static_cast<uint32_t>(std::min(std::ceil((in.settings.growFactor - 1) * 0x1p32), 0x1p32 - 1))) {}

void McmcDensifier::recordRefinement(gpu::Commands& c, const RefineJob& job, bool sorted) {
    const uint32_t capacity = job.store.model.capacity;
    if (tableCapacity_ != capacity) table_.emplace(cdf_.table("opacities", tableCapacity_ = capacity));
    recordPlan(c, job);
    recordWeights(c, job);
    recordDraw(c, job, deadCount_, kRelocationStream);
    recordCopies(c, job, Copies::toDead);
    recordWeights(c, job);
    recordDraw(c, job, newCount_, kGrowthStream);
    recordCopies(c, job, Copies::behind);
    c.dispatchGroups(kernels::close_growth{.drawn = table_->plan.words(), .refinement = job.refinement, .perAfter = tools_.perAfter}, 1);
    if (!sorted) return;
    tools_.recordOrder(c, job);
    tools_.recordSortByPlace(c, job);
    tools_.recordPermutation(c, job);
}

void McmcDensifier::recordPlan(gpu::Commands& c, const RefineJob& job) const {
    tools_.recordBegin(c, job);
    c.dispatchGroups(kernels::plan_growth{.state = job.frame.state,
                                          .refinement = job.refinement,
                                          .newCount = newCount_,
                                          .perBefore = tools_.perBefore,
                                          .growth = growth_,
                                          .limit = job.limit,
                                          .capacity = job.store.model.capacity},
                     1);
}

void McmcDensifier::recordWeights(gpu::Commands& c, const RefineJob& job) const {
    const primitives::Count before{job.frame.capacity.gaussians, RefinementTools::word(job, kRefinementBefore)};
    const GaussianModel& model = job.store.model;
    const AdamMoments& moments = job.store.moments;
    c.dispatchIndirect(kernels::weigh_gaussians{.refinement = job.refinement,
                                                .dead = dead(job),
                                                .weights = weights(job),
                                                .meanMoments = moments.means,
                                                .rotationMoments = moments.rotations,
                                                .scaleMoments = moments.logScales,
                                                .opacityMoments = moments.logitOpacities,
                                                .sh0Moments = moments.sh0,
                                                .shRestMoments = moments.shRest,
                                                .means = model.means,
                                                .rotations = model.rotations,
                                                .logScales = model.logScales,
                                                .logitOpacities = model.logitOpacities,
                                                .sh0 = model.sh0,
                                                .shRest = model.shRest,
                                                .pruneOpacity = pruneOpacity_,
                                                .capacity = model.capacity},
                       tools_.perBefore);
    compaction_.record(c, {dead(job), deadPlaces(job), {deadCount_}, tools_.scanScratch}, before);
    cdf_.record(c, {weights(job), *table_}, before);
}

/// Draws gaussians, which make room for the copies of themselves that are to come.
void McmcDensifier::recordDraw(gpu::Commands& c, const RefineJob& job, const gpu::Buffer& draws, uint32_t stream) const {
    cdf_.recordSystematic(c,
                          {.table = *table_,
                           .seed = RefinementTools::word(job, kRefinementSeed),
                           .stream = stream,
                           .sources = sources(job),
                           .multiplicities = multiplicities(job)},
                          {job.frame.capacity.gaussians, {draws}});
    const AdamMoments& moments = job.store.moments;
    c.dispatchIndirect(kernels::relocate_sources{.refinement = job.refinement,
                                                 .multiplicities = multiplicities(job),
                                                 .logScales = job.store.model.logScales,
                                                 .logitOpacities = job.store.model.logitOpacities,
                                                 .meanMoments = moments.means,
                                                 .rotationMoments = moments.rotations,
                                                 .scaleMoments = moments.logScales,
                                                 .opacityMoments = moments.logitOpacities,
                                                 .sh0Moments = moments.sh0,
                                                 .shRestMoments = moments.shRest,
                                                 .pruneOpacity = pruneOpacity_,
                                                 .capacity = job.store.model.capacity},
                       tools_.perBefore);
}

void McmcDensifier::recordCopies(gpu::Commands& c, const RefineJob& job, Copies copies) const {
    const GaussianModel& model = job.store.model;
    const AdamMoments& moments = job.store.moments;
    c.dispatchGroups(
        kernels::plan_dispatch{.counts = table_->plan.words(), .arguments = perCopy_, .rows = 1, .thingsPerGroup = glm::uvec4(kBlock)}, 1);
    c.dispatchIndirect(kernels::copy_gaussians{.copies = table_->plan.words(),
                                               .sources = sources(job),
                                               .places = deadPlaces(job),
                                               .refinement = job.refinement,
                                               .means = model.means,
                                               .rotations = model.rotations,
                                               .logScales = model.logScales,
                                               .logitOpacities = model.logitOpacities,
                                               .sh0 = model.sh0,
                                               .shRest = model.shRest,
                                               .meanMoments = moments.means,
                                               .rotationMoments = moments.rotations,
                                               .scaleMoments = moments.logScales,
                                               .opacityMoments = moments.logitOpacities,
                                               .sh0Moments = moments.sh0,
                                               .shRestMoments = moments.shRest,
                                               .capacity = model.capacity,
                                               .kAppend = copies == Copies::behind ? 1u : 0u},
                       perCopy_);
}

}  // namespace

std::vector<RefineEvent> mcmcEvents(const DensifierInputs& inputs) {
    const auto densifier = std::make_shared<McmcDensifier>(inputs);
    const TrainSettings s = inputs.settings;
    const auto refines = [s](uint32_t steps, bool sorted) { return refinesAfter(s, steps) && sortsByPlace(s, steps) == sorted; };
    return {{"refine", [=](uint32_t steps) { return refines(steps, false); },
             [=](gpu::Commands& c, const RefineJob& job) { densifier->recordRefinement(c, job, false); }},
            {"refine and sort", [=](uint32_t steps) { return refines(steps, true); },
             [=](gpu::Commands& c, const RefineJob& job) { densifier->recordRefinement(c, job, true); }}};
}

}  // namespace splat
