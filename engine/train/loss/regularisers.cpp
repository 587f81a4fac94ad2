#include <splatwright/train/loss/regularisers.h>

#include <algorithm>
#include <array>
#include <memory>

#include <splatwright/train/loss/loss.h>
#include <splatwright/train/loss/reduction.h>
#include "kernels/share_regularisers.h"
#include "kernels/sum_regularisers.h"

namespace splat {

namespace {

double perGaussian(double sum, const LossSizes& sizes) { return sum / std::max(1u, sizes.gaussians); }

// Their values and gradients: shaders/lib/train/regularisers.slang.
constexpr std::array kTerms{
    LossTerm{"opacity", [](const TrainSettings& s, uint32_t) { return s.opacityReg; }, perGaussian},
    LossTerm{"scale", [](const TrainSettings& s, uint32_t) { return s.scaleReg; }, perGaussian},
};
static_assert(kTerms.size() <= 4, "a float4 holds the values of all");

}  // namespace

extern const LossRow kRegularisers{
    .terms = kTerms,
    .make = [](gpu::Device& device) -> LossRecorder {
        auto partials = std::make_shared<gpu::Buffer>(device.buffer<glm::vec4>("regulariser shares", shared::kReductionGroups));
        return [partials](gpu::Commands& c, const LossJob& job, gpu::BufferSlice sums, uint32_t first) {
            const uint32_t groups = reductionGroups(job.model.capacity);
            const kernels::share_regularisers kernel{.gaussianCount = job.model.count,
                                                     .tileCounts = job.tileCounts,
                                                     .unseenSteps = job.unseen.steps ? job.unseen.steps : job.tileCounts,
                                                     .partials = *partials,
                                                     .fadeSteps = job.unseen.fadeSteps,
                                                     .goneSteps = job.unseen.goneSteps,
                                                     .kUnseen = job.unseen.counts() ? 1u : 0u};
            c.dispatchGroups(withModel(kernel, job.model), groups);
            c.dispatchGroups(
                kernels::sum_regularisers{
                    .partials = *partials, .sums = sums, .groups = groups, .first = first, .terms = static_cast<uint32_t>(kTerms.size())},
                1);
        };
    },
};

UnseenRule unseenRule(const TrainSettings& settings, size_t views, const gpu::BufferSlice& steps) {
    if (settings.fadeSteps == 0) return {.steps = steps};
    return {.fadeSteps = settings.fadeSteps, .goneSteps = static_cast<uint32_t>(2 * views), .steps = steps};
}

glm::vec4 regulariserWeights(const TrainSettings& settings) {
    glm::vec4 weights(0);
    for (size_t i = 0; i < kTerms.size(); ++i) weights[static_cast<int>(i)] = static_cast<float>(kTerms[i].weight(settings, 0));
    return weights;
}

}  // namespace splat
