#include <splatwright/train/views/exposure.h>

#include <splatwright/train/reduction.h>
#include "kernels/apply_exposure.h"
#include "kernels/exposure_gradient.h"
#include "kernels/step_exposure.h"

namespace splat {

Exposure::Exposure(gpu::Device& d, size_t views, uint32_t pixels)
    : views_(static_cast<uint32_t>(views)),
      exposures_(d.buffer<glm::vec4>("exposures", 3 * views)),
      moments_(d.buffer<shared::Moments4>("moments of exposures", 3 * views)),
      corrections_(d.buffer<glm::vec2>("bias corrections of exposures", views)),
      exposed_(d.buffer<glm::vec3>("exposed colours", pixels)),
      partials_(d.buffer<glm::vec4>("exposure gradient shares", 3 * size_t{shared::kReductionGroups})) {
    std::vector<glm::vec4> identities;
    for (size_t view = 0; view < views; ++view) identities.insert(identities.end(), {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}});
    d.upload(exposures_, identities);
    d.run("clear exposure moments", [&](gpu::Commands& c) {
        c.fill(moments_, 0);
        c.fill(corrections_, 0);
    });
}

void Exposure::recordApply(gpu::Commands& c, const ViewSelection& view, gpu::BufferSlice colours) const {
    const uint32_t pixels = view.width * view.height;
    c.dispatch(
        kernels::apply_exposure{.exposures = exposures_, .colours = colours, .exposed = exposed_, .view = view.index, .pixels = pixels},
        pixels);
}

void Exposure::recordGradient(gpu::Commands& c, const ViewSelection& view, gpu::BufferSlice colours, gpu::BufferSlice gradients) const {
    c.dispatchGroups(kernels::exposure_gradient{.exposures = exposures_,
                                                .colours = colours,
                                                .colourGradients = gradients,
                                                .partials = partials_,
                                                .view = view.index,
                                                .pixels = view.width * view.height},
                     reductionGroups(view.width * view.height));
}

void Exposure::recordStep(gpu::Commands& c, const ViewSelection& view, const FrameBuffers& frame, gpu::BufferSlice step) const {
    c.dispatchGroups(kernels::step_exposure{.state = frame.state,
                                            .step = step,
                                            .partials = partials_,
                                            .exposures = exposures_,
                                            .moments = moments_,
                                            .corrections = corrections_,
                                            .view = view.index,
                                            .views = views_,
                                            .groups = reductionGroups(view.width * view.height)},
                     1);
}

std::vector<std::pair<std::string, const gpu::Buffer*>> Exposure::state() const {
    return {{"exposures", &exposures_}, {"exposure_moments", &moments_}, {"exposure_corrections", &corrections_}};
}

}  // namespace splat
