#include <array>
#include <optional>

#include <splatwright/core/error.h>
#include <splatwright/train/loss/reduction.h>
#include <splatwright/train/parts/depth_settings.h>
#include <splatwright/train/parts/step_part.h>
#include <splatwright/train/settings/accumulation_setting.h>
#include <splatwright/train/settings/decayed_rate.h>
#include "kernels/depth_loss.h"
#include "kernels/sum_regularisers.h"

namespace splat {

namespace {

/// Supervises the inverse depths of the views that have a depth target.
class DepthPart : public StepPart {
public:
    explicit DepthPart(const StepPartInputs& in)
        : targets_(in.targets),
          extent_(in.training.sceneExtent),
          number_(in.number),
          partials_(in.device().buffer<glm::vec4>("depth loss shares", shared::kReductionGroups)) {}

    void demand(FrameCapacity& capacity) const override {
        if (targets_.hasDepths()) capacity.carriedNumbers = std::max(capacity.carriedNumbers, numbersOf(CarriedValue::inverseDepth));
    }
    uint64_t transientBytes(const FrameCapacity& capacity) const override {
        return targets_.hasDepths() ? gpu::Arena::bytes<float>(capacity.pixels()) : 0;
    }
    void makeFrame(gpu::Arena& transient, const FrameCapacity& capacity) override {
        if (targets_.hasDepths()) gradients_.emplace(transient.take<float>("inverse depth gradients", capacity.pixels()));
    }
    void releaseFrame() override { gradients_.reset(); }

    void select(ViewSelection& view, size_t image) const override {
        if (targets_.depth(image).pixels > 0) view.carried = CarriedValue::inverseDepth;
    }
    void recordLoss(gpu::Commands& c, const StepJob& job, gpu::BufferSlice sums, uint32_t first) const override;
    void complete(BackwardJob& job) const override {
        if (gradients_) job.carriedGradients = *gradients_;
    }

private:
    const Targets& targets_;
    double extent_;
    uint32_t number_;
    gpu::Buffer partials_;
    std::optional<gpu::Buffer> gradients_;  ///< float per pixel
};

void DepthPart::recordLoss(gpu::Commands& c, const StepJob& job, gpu::BufferSlice sums, uint32_t first) const {
    const DepthTarget& target = targets_.depth(job.image);
    const uint32_t pixels = job.view.width * job.view.height;
    const uint32_t groups = target.pixels > 0 ? reductionGroups(pixels) : 0;
    if (groups > 0) {
        c.dispatchGroups(kernels::depth_loss{.step = job.parameters,
                                             .target = job.target,
                                             .carried = job.frame.carried,
                                             .gradients = *gradients_,
                                             .partials = partials_,
                                             .pixels = pixels,
                                             .scale = target.scale,
                                             .shift = target.shift,
                                             .perPixel = static_cast<float>(extent_ / target.pixels),
                                             .number = number_},
                         groups);
    }
    c.dispatchGroups(kernels::sum_regularisers{.partials = partials_, .sums = sums, .groups = groups, .first = first, .terms = 1}, 1);
}

double weightAt(const TrainSettings& settings, uint32_t step) {
    const auto& own = settings.of<DepthSettings>();
    return own.supervisesDepth() ? decayedRate(own.depthWeight, own.depthWeightFinal, settings, step) : 0;
}

// The GPU divides: only it knows how many pixels of a view are supervised.
constexpr std::array kTerms{LossTerm{"depth", weightAt, [](double sum, const LossSizes&) { return sum; }}};

void check(const TrainSettings& settings) {
    const AccumulationRow& row = accumulationOf(settings);
    if (row.carries) return;
    TrainSettings other = settings;
    other.accumulate = RunSettings().accumulate;
    if (settings.deterministic) accumulateDeterministically(other);
    throw InputError("depth is '{}', and accumulate is '{}', which cannot train depths; expected another one, such as {}",
                     settings.of<DepthSettings>().depth, row.name, other.accumulate);
}

}  // namespace

extern const StepPartRow kDepthPart{
    .name = "depth",
    .settings = SettingsPart::byDefault<DepthSettings>,
    .wanted = [](const TrainSettings& s) { return s.of<DepthSettings>().supervisesDepth(); },
    .check = check,
    .number = weightAt,
    .terms = kTerms,
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> { return std::make_unique<DepthPart>(in); },
};

}  // namespace splat
