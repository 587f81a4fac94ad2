#include <splatwright/train/parts/transients.h>

#include <splatwright/shared/transients.h>
#include <splatwright/train/loss/reduction.h>
#include <splatwright/train/parts/transient_settings.h>
#include "kernels/bin_errors.h"
#include "kernels/drop_gradients.h"
#include "kernels/leave_out_transients.h"
#include "kernels/limit_errors.h"

namespace splat {

namespace {

uint32_t blocks(uint32_t pixels) { return (pixels + shared::kVoteBlock - 1) / shared::kVoteBlock; }

}  // namespace

Transients::Transients(const StepPartInputs& in)
    : number_(in.number),
      least_(static_cast<float>(in.settings().of<TransientSettings>().least)),
      coverage_(in.targets.coverage()),
      histogram_(in.device().buffer<uint32_t>("error bins", shared::kPixelErrorBins)),
      limit_(in.device().buffer<uint32_t>("error limit", 1)) {}

uint64_t Transients::transientBytes(const FrameCapacity& capacity) const {
    const size_t pixels = capacity.pixels();
    return gpu::Arena::bytes<float>(pixels) + gpu::Arena::bytes<uint32_t>(pixels) + gpu::Arena::bytes<glm::vec3>(pixels);
}

void Transients::makeFrame(gpu::Arena& arena, const FrameCapacity& capacity) {
    const size_t pixels = capacity.pixels();
    pixels_.emplace(arena.take<float>("pixel errors", pixels), arena.take<uint32_t>("kept pixels", pixels),
                    arena.take<glm::vec3>("compared colours", pixels));
}

gpu::BufferSlice Transients::recordCompared(gpu::Commands& c, const StepJob& job) const {
    const uint32_t width = job.view.width, height = job.view.height, pixels = width * height;
    const auto coverage = static_cast<uint32_t>(coverage_);
    c.fill(histogram_, 0);
    c.dispatchGroups(kernels::bin_errors{.colours = job.colours,
                                         .target = job.target,
                                         .step = job.parameters,
                                         .errors = pixels_->errors,
                                         .histogram = histogram_,
                                         .pixels = pixels,
                                         .kCoverage = coverage},
                     reductionGroups(pixels));
    c.dispatchGroups(
        kernels::limit_errors{
            .step = job.parameters, .histogram = histogram_, .limit = limit_, .pixels = pixels, .number = number_, .least = least_},
        1);
    const kernels::leave_out_transients leaveOut{.colours = job.colours,
                                                 .target = job.target,
                                                 .step = job.parameters,
                                                 .errors = pixels_->errors,
                                                 .limit = limit_,
                                                 .kept = pixels_->kept,
                                                 .comparedColours = pixels_->compared,
                                                 .size = glm::ivec2(width, height),
                                                 .kCoverage = coverage};
    c.dispatch2D(leaveOut, blocks(width) * kernels::leave_out_transients::info().groupSize[0], blocks(height));
    return pixels_->compared;
}

void Transients::recordAfterLoss(gpu::Commands& c, const StepJob& job) const {
    const uint32_t pixels = job.view.width * job.view.height;
    c.dispatch(kernels::drop_gradients{.kept = pixels_->kept, .colourGradients = job.colourGradients, .pixels = pixels}, pixels);
}

extern const StepPartRow kTransientsPart{
    .name = "transients",
    .settings = SettingsPart::byDefault<TransientSettings>,
    .wanted = [](const TrainSettings& s) { return s.of<TransientSettings>().transients; },
    .number =
        [](const TrainSettings& s, uint32_t step) {
            const auto& own = s.of<TransientSettings>();
            return step < own.from ? 1 : own.trusted;
        },
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> { return std::make_unique<Transients>(in); },
};

}  // namespace splat
