#include <algorithm>
#include <cmath>
#include <memory>

#include <splatwright/primitives/cdf.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/train/densify/picture_settings.h>
#include <splatwright/train/densify/refinement.h>
#include <splatwright/train/densify/target_blobs.h>
#include <splatwright/train/model/blob_moments.h>
#include "kernels/add_blobs.h"
#include "kernels/close_growth.h"
#include "kernels/plan_blobs.h"
#include "kernels/weigh_errors.h"

namespace splat {

namespace {

constexpr uint32_t kPixelsPerBlob = 10;

/// When blobs are added: every `interval` steps before step `until`.
struct Growth {
    uint32_t until, interval;

    explicit Growth(const TrainSettings& settings) {
        const auto& own = settings.of<PictureSettings>();
        until = static_cast<uint32_t>(std::lround(own.growUntil * settings.steps));
        interval = std::max(1u, (until + own.growTimes) / (own.growTimes + 1));
    }
};

/// Adds blobs where the picture's error is: pixels are drawn in proportion to the squared error by systematic resampling, until there are as many
/// blobs as wanted.
class PictureDensifier {
public:
    explicit PictureDensifier(const DensifierInputs& inputs)
        : device_(inputs.device),
          settings_(inputs.settings),
          growth_(inputs.settings),
          cdf_(inputs.device),
          wanted_(inputs.device.buffer<uint32_t>("wanted blobs", 1)) {}

    void recordRefinement(gpu::Commands& commands, const RefineJob& job);

private:
    /// Per pixel.
    struct Scratch {
        primitives::CdfTable table;
        gpu::Buffer weights, multiplicities;
        uint32_t pixels;
    };

    void recordDraw(gpu::Commands& commands, const RefineJob& job) const;
    void recordAddition(gpu::Commands& commands, const RefineJob& job) const;

    static gpu::BufferSlice sources(const RefineJob& job) { return job.frame.gaussiansB; }

    gpu::Device& device_;
    const TrainSettings settings_;
    const Growth growth_;
    primitives::Cdf cdf_;
    gpu::Buffer wanted_;
    std::optional<Scratch> scratch_;
};

void PictureDensifier::recordRefinement(gpu::Commands& c, const RefineJob& job) {
    const uint32_t pixels = job.size.x * job.size.y;
    if (!scratch_) {
        scratch_.emplace(Scratch{cdf_.table("errors", pixels), device_.buffer<uint32_t>("weights of pixels", pixels),
                                 device_.buffer<uint32_t>("draws of pixels", pixels), pixels});
    }
    c.dispatchGroups(kernels::plan_blobs{.training = job.training,
                                         .refinement = job.refinement,
                                         .wanted = wanted_,
                                         .target = std::min(targetBlobs(settings_, job.size), job.limit),
                                         .until = growth_.until,
                                         .interval = growth_.interval,
                                         .capacity = job.store.model.capacity},
                     1);
    recordDraw(c, job);
    recordAddition(c, job);
    c.dispatchGroups(
        kernels::close_growth{.drawn = scratch_->table.plan.words(), .refinement = job.refinement, .perAfter = job.tools.perAfter}, 1);
}

void PictureDensifier::recordDraw(gpu::Commands& c, const RefineJob& job) const {
    c.dispatch(
        kernels::weigh_errors{.target = job.target, .colours = job.frame.colours, .weights = scratch_->weights, .pixels = scratch_->pixels},
        scratch_->pixels);
    cdf_.record(c, {scratch_->weights, scratch_->table}, {scratch_->pixels});
    cdf_.recordSystematic(c,
                          {.table = scratch_->table,
                           .seed = RefinementTools::word(job, shared::kRefinementSeed),
                           .stream = shared::kGrowthStream,
                           .sources = sources(job),
                           .multiplicities = scratch_->multiplicities},
                          {job.frame.capacity.gaussians, {wanted_}});
}

void PictureDensifier::recordAddition(gpu::Commands& c, const RefineJob& job) const {
    const GaussianModel& model = job.store.model;
    const kernels::add_blobs kernel{.drawn = scratch_->table.plan.words(),
                                    .sources = sources(job),
                                    .refinement = job.refinement,
                                    .target = job.target,
                                    .colours = job.frame.colours,
                                    .size = job.size,
                                    .logSize = static_cast<float>(std::log(sizeOfNewBlobs(settings_, job.size))),
                                    .logitOpacity = logitOf(static_cast<float>(settings_.initOpacity)),
                                    .summed = model.kind.summed ? 1u : 0u};
    c.dispatchIndirect(withBlobMoments(withBlobs(kernel, model), job.store.moments), scratch_->table.arguments);
}

std::vector<RefineEvent> eventsOf(const DensifierInputs& inputs) {
    if (inputs.settings.of<PictureSettings>().startShare == 1) return {};
    const auto densifier = std::make_shared<PictureDensifier>(inputs);
    const Growth growth(inputs.settings);
    return {{"add blobs", [=](uint32_t steps) { return steps > 0 && steps < growth.until && steps % growth.interval == 0; },
             [=](gpu::Commands& c, const RefineJob& job) { densifier->recordRefinement(c, job); }}};
}

void check(const TrainSettings& settings) {
    for (const TrainedKindRow* row : trainedKindTable()) row->check(settings);
    if (settings.startDownscale != 1)
        throw InputError("start_downscale is {}, and strategy is 'picture', which needs the errors of every pixel; expected 1",
                         settings.startDownscale);
}

/// The rate of centres is in pixels. shaders/fit2d/README.md has the measurements.
void setDefaults(TrainSettings& s) {
    s.steps = 10'000;
    s.densifyUntil = 0;  // rates fall from the first step
    s.ssimLambda = 0;
    s.l2Share = 1;
    s.opaqueBelow = 0;
    s.initOpacity = 0.5;
    s.lrMeans = 0.1;
    s.lrMeansFinal = 0.01;
    s.lrScales = 0.015;
    s.lrSh0 = 0.005;
    s.lrOpacities = 0.02;
    s.lrFinalFactor = 0.2;
    s.checkpointEvery = 0;
}

}  // namespace

uint32_t targetBlobs(const TrainSettings& settings, glm::uvec2 picture) {
    if (settings.maxSplats > 0) return settings.maxSplats;
    return std::max(1u, picture.x * picture.y / kPixelsPerBlob);
}

double sizeOfNewBlobs(const TrainSettings& settings, glm::uvec2 picture) {
    const double pixels = double{1} * picture.x * picture.y;
    return settings.of<PictureSettings>().startSize * std::sqrt(pixels / targetBlobs(settings, picture));
}

extern const DensifierRow kPictureStrategy{
    .name = "picture",
    .help = "fits 2D blobs to a single picture, and adds them where the error is",
    .settings = SettingsPart::byDefault<PictureSettings>,
    .defaults = setDefaults,
    .check = check,
    .kind = [](const TrainSettings& settings) -> std::string_view { return settings.of<PictureSettings>().blobs; },
    .reserves = targetBlobs,
    .events = eventsOf,
};

}  // namespace splat
