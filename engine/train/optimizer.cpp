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

void recordUpdate(gpu::Commands& c, const GaussianModel& model, const AdamMoments& moments, const FrameBuffers& frame,
                  const BackwardBuffers& gradients, const AccumulationRow& row, const ViewSelection& view) {
    c.stage("update");
    c.dispatchIndirect(kernels::update_gaussians{.updateCount = gradients.updateCount,
                                                 .frame = frame.parameters,
                                                 .views = view.views,
                                                 .tileCounts = frame.tileCounts,
                                                 .projected = frame.projected,
                                                 .firstEmissionFromGaussian = frame.firstEmission,
                                                 .gradients = gradients.gradients,
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
                                                 .view = view.index,
                                                 .capacity = model.capacity,
                                                 .kOrdered = row.ordered ? 1u : 0u},
                       gradients.perUpdate);
}

}  // namespace splat
