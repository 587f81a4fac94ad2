#include <optional>

#include <splatwright/train/loss/pixel_values.h>
#include <splatwright/train/parts/step_part.h>

namespace splat {

namespace {

BlendStatistics blendOf(const TrainSettings& settings) { return densifierByName(settings.strategy).blend(settings); }

/// Values per pixel that the strategy weighs by blending weights.
class PixelValuePart : public StepPart {
public:
    explicit PixelValuePart(const StepPartInputs& in) : settings_(in.settings()), coverage_(in.targets.coverage()) {}

    uint64_t transientBytes(const FrameCapacity& capacity) const override { return gpu::Arena::bytes<float>(capacity.pixels()); }
    void makeFrame(gpu::Arena& transient, const FrameCapacity& capacity) override {
        values_.emplace(transient.take<float>("pixel values", capacity.pixels()));
    }
    void releaseFrame() override { values_.reset(); }

    void recordAfterLoss(gpu::Commands& c, const StepJob& job) const override {
        const BlendStatistics blend = blendOf(settings_);
        recordPixelValues(c, {.kind = blend.pixelValue,
                              .errorThreshold = static_cast<float>(blend.errorThreshold),
                              .colour = job.colours,
                              .target = job.target,
                              .width = job.view.width,
                              .height = job.view.height,
                              .step = job.parameters,
                              .coverage = coverage_,
                              .values = *values_});
    }
    void complete(BackwardJob& job) const override { job.pixelValues = *values_; }

private:
    const TrainSettings& settings_;
    Coverage coverage_;
    std::optional<gpu::Buffer> values_;  ///< float per pixel
};

/// Sums over the fragments of each splat that the strategy asks for.
class BlendSumsPart : public StepPart {
public:
    explicit BlendSumsPart(const StepPartInputs& in) : settings_(in.settings()), store_(in.store) {}

    void demand(FrameCapacity& capacity) const override { capacity.blendSums = true; }
    void complete(BackwardJob& job) const override { job.sums = blendOf(settings_).sums; }
    void recordAfterBackward(gpu::Commands& c, const StepJob& job) const override {
        recordGather(c, {.frame = job.frame, .backward = *job.gradients, .gathered = store_.blendStatistics});
    }

private:
    const TrainSettings& settings_;
    const GaussianStore& store_;
};

}  // namespace

extern const StepPartRow kPixelValuePart{
    .name = "pixel values",
    .wanted = [](const TrainSettings& s) { return blendOf(s).pixelValue != PixelValue::none; },
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> { return std::make_unique<PixelValuePart>(in); },
};

extern const StepPartRow kBlendSumsPart{
    .name = "blend sums",
    .wanted = [](const TrainSettings& s) { return blendOf(s).wanted(); },
    .keep = [](GaussianStore& store, bool wanted) { store.keepBlendStatistics(wanted); },
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> { return std::make_unique<BlendSumsPart>(in); },
};

}  // namespace splat
