#include <splatwright/train/kinds/blobs.h>

#include <algorithm>
#include <cmath>

#include <splatwright/render/kinds/blobs.h>
#include <splatwright/scene/pictures/flat_gaussians.h>
#include <splatwright/train/densify/picture_settings.h>
#include <splatwright/train/densify/target_blobs.h>
#include <splatwright/train/model/blob_moments.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

ModelKind pictureKind(std::string_view name, const TrainSettings& settings, glm::uvec2 size) {
    const auto& own = settings.of<PictureSettings>();
    return {.row = &modelKindByName(name), .size = size, .summed = own.blend == "sum", .dilation = static_cast<float>(own.dilation)};
}

uint32_t firstBlobs(const TrainSettings& settings, glm::uvec2 picture) {
    const double share = settings.of<PictureSettings>().startShare;
    return std::max(1u, static_cast<uint32_t>(std::lround(share * targetBlobs(settings, picture))));
}

void recordBlobUpdate(gpu::Commands& c, const UpdateJob& job, kernels::update_blobs kernel) {
    kernel.updateCount = job.gradients.updateCount;
    kernel.step = job.step;
    kernel.training = job.training;
    kernel.views = job.view.views;
    kernel.tileCounts = job.frame.tileCounts;
    kernel.gradients = job.gradients.gradients;
    kernel.view = job.view.index;
    c.dispatchIndirect(withBlobMoments(withBlobs(kernel, job.model), job.moments), job.gradients.perUpdate);
}

Gaussians flatSplats(gpu::Device& device, const Trainer& trainer, const TrainingFrame&) {
    return flatGaussians(downloadBlobs(device, trainer.model(), trainer.settings().background));
}

}  // namespace splat
