#include <splatwright/train/parts/exposure.h>

#include <splatwright/train/loss/reduction.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/settings/decayed_rate.h>
#include "kernels/apply_exposure.h"
#include "kernels/exposure_gradient.h"
#include "kernels/step_exposure.h"

namespace splat {

Exposure::Exposure(gpu::Device& d, size_t views, uint32_t pixels, uint32_t number)
    : views_(static_cast<uint32_t>(views)),
      number_(number),
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

gpu::BufferSlice Exposure::recordColours(gpu::Commands& c, const StepJob& job) const {
    const uint32_t pixels = job.view.width * job.view.height;
    c.dispatch(
        kernels::apply_exposure{
            .exposures = exposures_, .colours = job.render, .exposed = exposed_, .view = job.view.index, .pixels = pixels},
        pixels);
    return exposed_;
}

void Exposure::recordAfterLoss(gpu::Commands& c, const StepJob& job) const {
    const uint32_t pixels = job.view.width * job.view.height;
    c.dispatchGroups(kernels::exposure_gradient{.colourChanges = job.colourChanges,
                                                .exposures = exposures_,
                                                .colours = job.render,
                                                .colourGradients = job.colourGradients,
                                                .partials = partials_,
                                                .view = job.view.index,
                                                .pixels = pixels},
                     reductionGroups(pixels));
}

void Exposure::recordAfterUpdate(gpu::Commands& c, const StepJob& job) const {
    c.dispatchGroups(kernels::step_exposure{.state = job.frame.state,
                                            .colourChanges = job.colourChanges,
                                            .step = job.parameters,
                                            .partials = partials_,
                                            .exposures = exposures_,
                                            .moments = moments_,
                                            .corrections = corrections_,
                                            .view = job.view.index,
                                            .views = views_,
                                            .groups = reductionGroups(job.view.width * job.view.height),
                                            .number = number_},
                     1);
}

std::vector<std::pair<std::string, const gpu::Buffer*>> Exposure::state() const {
    return {{"exposures", &exposures_}, {"exposure_moments", &moments_}, {"exposure_corrections", &corrections_}};
}

extern const StepPartRow kExposurePart{
    .name = "exposure",
    .settings = SettingsPart::byDefault<ExposureSettings>,
    .wanted = [](const TrainSettings& s) { return s.of<ExposureSettings>().exposure; },
    .number =
        [](const TrainSettings& s, uint32_t step) {
            const auto& own = s.of<ExposureSettings>();
            return decayedRate(own.lrExposure, own.lrExposureFinal, s, step);
        },
    .isRate = true,
    .transformsColours = true,
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> {
        return std::make_unique<Exposure>(in.device(), in.cameras.size(), in.pixels(), in.number);
    },
};

}  // namespace splat
