#include "train/optimizer.h"

#include "kernels/update_gaussians.h"

namespace splat {

AdamMoments::AdamMoments(gpu::Device& d, uint32_t capacity)
    : means(d.buffer<shared::Moments3>("moments of means", capacity)),
      rotations(d.buffer<shared::Moments4>("moments of rotations", capacity)),
      logScales(d.buffer<shared::Moments3>("moments of log scales", capacity)),
      logitOpacities(d.buffer<shared::Moments1>("moments of logit opacities", capacity)),
      sh0(d.buffer<shared::Moments3>("moments of sh0", capacity)),
      shRest(d.buffer<shared::Moments3>("moments of sh rest", size_t{capacity} * kShRest)) {
    d.run("clear moments", [&](gpu::Commands& c) {
        for (const gpu::Buffer* b : {&means, &rotations, &logScales, &logitOpacities, &sh0, &shRest}) c.fill(*b, 0);
    });
}

void recordUpdate(gpu::Commands& c, const UpdateJob& job) {
    const GaussianModel& model = job.model;
    const AdamMoments& moments = job.moments;
    c.stage("update");
    c.dispatchIndirect(kernels::update_gaussians{.updateCount = job.gradients.updateCount,
                                                 .frame = job.frame.parameters,
                                                 .training = job.training,
                                                 .views = job.view.views,
                                                 .projected = job.frame.projected,
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
                                                 .growth = job.growth,
                                                 .tileCounts = job.frame.tileCounts,
                                                 .gradients = job.gradients.gradients,
                                                 .view = job.view.index,
                                                 .capacity = model.capacity,
                                                 .seed = job.seed,
                                                 .kStatistics = static_cast<uint32_t>(job.statistics),
                                                 .kRegularise = job.regularise ? 1u : 0u,
                                                 .kNoise = job.noise ? 1u : 0u,
                                                 .kAntialiased = model.antialiased ? 1u : 0u},
                       job.gradients.perUpdate);
}

}  // namespace splat
