#include <splatwright/train/parts/sampling_filter.h>

#include <splatwright/train/parts/sampling_filter_settings.h>
#include <splatwright/train/parts/step_part.h>
#include "kernels/fill_filters.h"
#include "kernels/measure_filters.h"

namespace splat {

namespace {

constexpr uint32_t kEvery = 100, kRarely = 1000;  // steps, while the model grows and later; 100 is Mip-Splatting's interval

}  // namespace

SamplingFilter::SamplingFilter(gpu::Device& device, size_t views)
    : widest_(device.buffer<uint32_t>("widest filter", 1)), views_(static_cast<uint32_t>(views)) {}

bool SamplingFilter::dueAfter(const TrainSettings& settings, uint32_t steps) {
    return refinesAfter(settings, steps) || steps % (steps <= settings.densifyUntil ? kEvery : kRarely) == 0;
}

void SamplingFilter::record(gpu::Commands& c, const RefineJob& job, gpu::BufferSlice views) const {
    c.fill(widest_, 0);
    const kernels::measure_filters measure{.refinement = job.refinement, .views = views, .widest = widest_, .viewCount = views_};
    c.dispatchIndirect(withModel(measure, job.store.model), job.tools.perBefore);
    const kernels::fill_filters fill{.refinement = job.refinement, .widest = widest_};
    c.dispatchIndirect(withModel(fill, job.store.model), job.tools.perBefore);
}

namespace {

class SamplingFilterPart : public StepPart {
public:
    explicit SamplingFilterPart(const StepPartInputs& in)
        : filter_(in.device(), in.cameras.size()), settings_(in.settings()), views_(in.views[0]) {}

    std::vector<RefineEvent> eventsAfter() const override {
        return {{"measure filters", [this](uint32_t steps) { return SamplingFilter::dueAfter(settings_, steps); },
                 [this](gpu::Commands& c, const RefineJob& job) { recordStart(c, job); }}};
    }
    void recordStart(gpu::Commands& c, const RefineJob& job) const override { filter_.record(c, job, views_); }

private:
    SamplingFilter filter_;
    const TrainSettings& settings_;
    gpu::BufferSlice views_;
};

}  // namespace

extern const StepPartRow kSamplingFilterPart{
    .name = "3D filter",
    .settings = SettingsPart::byDefault<SamplingFilterSettings>,
    .wanted = [](const TrainSettings& s) { return s.of<SamplingFilterSettings>().filter3d; },
    .keep = [](GaussianStore& store, bool wanted) { store.filter3d(wanted); },
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> { return std::make_unique<SamplingFilterPart>(in); },
};

}  // namespace splat
