#include "viewer/viewer/inside.h"

namespace splat::app {

void Inside::follow(gpu::Device& device, const Viewport& viewport, bool summed) {
    const auto& probe = viewport.probe();
    if (!probe || viewport.waiting() || viewport.stale()) return;
    const glm::uvec2 size = viewport.view().size();
    const uint64_t picture = viewport.lastReport().picture;
    if (glm::any(glm::greaterThanEqual(probe->pixel, size)) || (look_ && pixel_ == probe->pixel && picture_ == picture)) return;
    pixel_ = probe->pixel;
    picture_ = picture;
    look_ = explain::lookAt(device, viewport.view().frame(), size, pixel_, summed);
}

}  // namespace splat::app
