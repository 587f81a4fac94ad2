#include <splatwright/train/session/withheld_scorer.h>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/train/session/results.h>

namespace splat {

WithheldScorer::WithheldScorer(gpu::Device& device, const primitives::RadixSort& sort, std::span<const Photograph> views,
                               glm::vec3 background)
    : device_(device), sort_(sort), views_(device, views, background) {}

std::vector<double> WithheldScorer::psnrs(Trainer& trainer) {
    try {
        if (!renderer_) renderer_.emplace(device_, sort_);
        return views_.perView(*renderer_, evaluatedModel(trainer));
    } catch (const gpu::OutOfMemory& problem) {
        spdlog::debug("withheld views are drawn in the memory of training steps ({})", problem.what());
        renderer_.reset();
    }
    return ResultRenderer(device_, sort_, trainer).psnrs(views_);
}

}  // namespace splat
