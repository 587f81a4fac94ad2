#include <splatwright/train/parts/colour_changes.h>

#include <algorithm>

#include <spdlog/spdlog.h>

#include <splatwright/train/loss/reduction.h>
#include <splatwright/train/parts/colour_change_settings.h>
#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include "kernels/decide_colour_changes.h"
#include "kernels/keep_colour_difference.h"
#include "kernels/share_colour_difference.h"

namespace splat {

namespace {

/// Also at later multiples, for parts that are switched on during training.
bool decidesAfter(const TrainSettings& settings, uint32_t steps) {
    const uint32_t from = std::min(settings.of<ColourChangeSettings>().from, std::max(1u, settings.steps / 4));
    return steps % from == 0;
}

}  // namespace

ColourChanges::ColourChanges(const StepPartInputs& in)
    : settings_(in.settings()),
      coverage_(in.targets.coverage()),
      views_(static_cast<uint32_t>(in.cameras.size())),
      slots_(in.statusSlots),
      changes_(in.device().buffer<shared::ColourChanges>("colour changes", 1)),
      differences_(in.device().buffer<glm::vec4>("colour differences", in.cameras.size())),
      partials_(in.device().buffer<glm::vec4>("colour difference shares", shared::kReductionGroups)),
      ring_(in.device().buffer<shared::ColourChanges>("colour changes ring", in.statusSlots, gpu::Residence::readback)) {
    const uint32_t always = settings_.of<ColourChangeSettings>().least == 0 ? 1 : 0;
    in.device().upload(changes_, std::vector{shared::ColourChanges{.decided = always, .act = always, .difference = 0}});
    in.device().run("clear colour differences", [&](gpu::Commands& c) { c.fill(differences_, 0); });
}

void ColourChanges::recordAfterLoss(gpu::Commands& c, const StepJob& job) const {
    const uint32_t pixels = job.view.width * job.view.height;
    c.dispatchGroups(kernels::share_colour_difference{.colourChanges = changes_,
                                                      .colours = job.render,
                                                      .target = job.target,
                                                      .step = job.parameters,
                                                      .partials = partials_,
                                                      .pixels = pixels,
                                                      .kCoverage = static_cast<uint32_t>(coverage_)},
                     reductionGroups(pixels));
}

void ColourChanges::recordAfterUpdate(gpu::Commands& c, const StepJob& job) const {
    const uint32_t pixels = job.view.width * job.view.height;
    c.dispatchGroups(kernels::keep_colour_difference{.state = job.frame.state,
                                                     .colourChanges = changes_,
                                                     .partials = partials_,
                                                     .differences = differences_,
                                                     .view = job.view.index,
                                                     .groups = reductionGroups(pixels),
                                                     .pixels = pixels},
                     1);
}

std::vector<RefineEvent> ColourChanges::eventsBefore() const {
    return {{"decide colour changes", [this](uint32_t steps) { return decidesAfter(settings_, steps); },
             [this](gpu::Commands& c, const RefineJob& job) {
                 c.dispatchGroups(kernels::decide_colour_changes{.state = job.frame.state,
                                                                 .training = job.training,
                                                                 .differences = differences_,
                                                                 .colourChanges = changes_,
                                                                 .changesRing = ring_,
                                                                 .views = views_,
                                                                 .least = static_cast<float>(settings_.of<ColourChangeSettings>().least),
                                                                 .slots = slots_},
                                  1);
             }}};
}

bool ColourChanges::reportsAfter(uint32_t steps) const { return decidesAfter(settings_, steps); }

void ColourChanges::report(StepReport& report, uint32_t slot) const {
    const shared::ColourChanges& found = ring_.mapped<shared::ColourChanges>()[slot];
    if (found.decided == 0) return;
    report.colourDifference = found.difference;
    spdlog::info("step {}: the colours of photographs and renders differ by {:.1f} %, {} {:.1f} %: corrections of colours {}", report.step,
                 100 * found.difference, found.act != 0 ? "at least" : "less than", 100 * settings_.of<ColourChangeSettings>().least,
                 found.act != 0 ? "act from here on" : "stay off");
}

std::vector<std::pair<std::string, const gpu::Buffer*>> ColourChanges::state() const {
    return {{"colour_changes", &changes_}, {"colour_differences", &differences_}};
}

extern const StepPartRow kColourChangesPart{
    .name = "changes of colours",
    .settings = SettingsPart::byDefault<ColourChangeSettings>,
    .wanted = [](const TrainSettings& s) { return s.of<ExposureSettings>().exposure || s.of<ColourGridSettings>().colourGrid; },
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> { return std::make_unique<ColourChanges>(in); },
};

}  // namespace splat
