#include <splatwright/train/model/optimizer.h>

#include <splatwright/render/blobs.h>
#include "kernels/update_blobs.h"
#include "kernels/update_gaussians.h"

namespace splat {

AdamMoments::AdamMoments(gpu::Device& device, uint32_t capacity)
    : AttributeBuffers(device, "moments of", &AttributeRow::momentWords, capacity) {
    device.run("clear moments", [&](gpu::Commands& c) {
        for (const PlanarBuffer& planes : all())
            for (const gpu::Buffer& buffer : planes.buffers()) c.fill(buffer, 0);
    });
}

namespace {

void recordBlobUpdate(gpu::Commands& c, const UpdateJob& job) {
    const std::optional<DemoKernels>& demo = job.model.blobs->demo;
    const kernels::update_blobs kernel{.updateCount = job.gradients.updateCount,
                                       .step = job.step,
                                       .training = job.training,
                                       .views = job.view.views,
                                       .tileCounts = job.frame.tileCounts,
                                       .gradients = job.gradients.gradients,
                                       .view = job.view.index,
                                       .kDemoKernels = demo ? 1u : 0u,
                                       .kFaults = demo ? demo->faults : 0u};
    c.dispatchIndirect(withBlobMoments(withBlobs(kernel, job.model), job.moments), job.gradients.perUpdate);
}

}  // namespace

void recordUpdate(gpu::Commands& c, const UpdateJob& job) {
    c.stage("update");
    if (job.model.blobs) return recordBlobUpdate(c, job);
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
                                           .kRegularise = job.regularisers == glm::vec4(0) ? 0u
                                                          : job.unseen.counts()            ? 2u
                                                                                           : 1u,
                                           .kNoise = job.noise ? 1u : 0u,
                                           .kInverseDepth = job.view.inverseDepths ? 1u : 0u};
    c.dispatchIndirect(withMoments(withModel(kernel, job.model), job.moments), job.gradients.perUpdate);
}

}  // namespace splat
