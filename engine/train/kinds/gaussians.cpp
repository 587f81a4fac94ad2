#include <splatwright/scene/datasets/frame.h>
#include <splatwright/scene/gaussians/usable.h>
#include <splatwright/train/model/optimizer.h>
#include <splatwright/train/model/trained_kind.h>
#include <splatwright/train/parts/region.h>
#include <splatwright/train/session/kind_results.h>
#include <splatwright/train/session/results.h>
#include "kernels/update_gaussians.h"

namespace splat {

namespace {

void recordGaussianUpdate(gpu::Commands& c, const UpdateJob& job) {
    const uint32_t regularised = job.unseen.counts() ? 2 : 1;
    const kernels::update_gaussians kernel{.updateCount = job.gradients.updateCount,
                                           .step = job.step,
                                           .training = job.training,
                                           .views = job.view.views,
                                           .projected = job.frame.projected,
                                           .densifyStatistics = job.densifyStatistics,
                                           .unseenSteps = job.unseen.steps ? job.unseen.steps : gpu::BufferSlice(job.frame.gaussiansA),
                                           .tileCounts = job.frame.tileCounts,
                                           .gradients = job.gradients.gradients,
                                           .view = job.view.index,
                                           .seed = job.seed,
                                           .regularisers = job.regularisers,
                                           .fadeSteps = job.unseen.fadeSteps,
                                           .goneSteps = job.unseen.goneSteps,
                                           .kStatistics = static_cast<uint32_t>(job.statistics),
                                           .kRegularise = job.regularisers == glm::vec4(0) ? 0 : regularised,
                                           .kNoise = job.noise ? 1u : 0u,
                                           .kCarried = static_cast<uint32_t>(job.view.carried)};
    c.dispatchIndirect(withMoments(withModel(kernel, job.model), job.moments), job.gradients.perUpdate);
}

Gaussians splats(gpu::Device& device, const Trainer& trainer, const TrainingFrame& frame) {
    return fromFrame(frame, withinRegion(usableOnly(trainer.model().download(device, trainer.shDegree())), trainer.settings()));
}

class SceneResults : public KindResults {
public:
    using KindResults::KindResults;
    Image8 strip(Trainer& trainer) override { return ResultRenderer(device_, sort_, trainer).strip(data_); }
};

}  // namespace

extern const TrainedKindRow kTrainedGaussians{
    .name = "gaussians",
    .subject = SettingUse::scenes,
    .extent = kFrameExtent,
    .measuresHealth = true,
    .model = [](const TrainSettings&, glm::uvec2) { return ModelKind(); },
    .start = [](const KindStart& start) { return startOf(start.data, start.settings); },
    .recordUpdate = recordGaussianUpdate,
    .splats = splats,
    .results = [](gpu::Device& device, const primitives::RadixSort& sort, const SessionData& data) -> std::unique_ptr<KindResults> {
        return std::make_unique<SceneResults>(device, sort, data);
    },
};

}  // namespace splat
