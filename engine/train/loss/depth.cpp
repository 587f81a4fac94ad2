#include <array>
#include <memory>

#include <splatwright/train/loss/loss.h>
#include <splatwright/train/reduction.h>
#include <splatwright/train/step/schedule.h>
#include "kernels/depth_loss.h"
#include "kernels/sum_regularisers.h"

namespace splat {

namespace {

// The GPU divides: only it knows how many pixels of a view are supervised.
constexpr std::array kTerms{LossTerm{"depth", depthWeightAt, [](double sum, const LossSizes&) { return sum; }}};

LossRecorder makeDepthLoss(gpu::Device& device) {
    auto partials = std::make_shared<gpu::Buffer>(device.buffer<glm::vec4>("depth loss shares", shared::kReductionGroups));
    return [partials](gpu::Commands& c, const LossJob& job, gpu::BufferSlice sums, uint32_t first) {
        const LossDepth& depth = job.depth;
        const bool supervised = depth.target.pixels > 0;
        const uint32_t pixels = job.width * job.height;
        const uint32_t groups = supervised ? reductionGroups(pixels) : 0;
        if (supervised) {
            c.dispatchGroups(kernels::depth_loss{.step = job.step,
                                                 .target = job.target,
                                                 .inverseDepths = depth.rendered,
                                                 .gradients = depth.gradients,
                                                 .partials = *partials,
                                                 .pixels = pixels,
                                                 .scale = depth.target.scale,
                                                 .shift = depth.target.shift,
                                                 .perPixel = static_cast<float>(depth.extent / depth.target.pixels)},
                             groups);
        }
        c.dispatchGroups(kernels::sum_regularisers{.partials = *partials, .sums = sums, .groups = groups, .first = first, .terms = 1}, 1);
    };
}

}  // namespace

extern const LossRow kDepthLoss{.terms = kTerms, .make = makeDepthLoss};

}  // namespace splat
