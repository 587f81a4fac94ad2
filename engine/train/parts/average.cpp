#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/train/densify/refinement.h>
#include <splatwright/train/parts/average_settings.h>
#include <splatwright/train/parts/step_part.h>
#include "kernels/average_words.h"
#include "kernels/begin_average.h"

namespace splat {

namespace {

constexpr uint32_t kEvery = 10;  // steps: neighbouring states hardly differ

/// Each step learns from one view and forgets a little of the others. The mean of the last states (Polyak and Juditsky 1992) forgets none of them.
class AveragePart : public StepPart {
public:
    explicit AveragePart(const StepPartInputs& in)
        : state_(in.device().buffer<shared::AverageState>("average", 1)), settings_(in.settings()) {}

    void recordStart(gpu::Commands& c, const RefineJob&) const override { c.fill(state_, 0); }
    std::vector<RefineEvent> eventsAfter() const override {
        return {{.name = "average",
                 .due = [this](uint32_t steps) { return steps > before() && (settings_.steps - steps) % kEvery == 0; },
                 .record = [this](gpu::Commands& c, const RefineJob& job) { recordAverage(c, job); },
                 .late = true}};
    }
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const override { return {{"average", &state_}}; }

private:
    /// Steps before those whose states count.
    uint32_t before() const {
        const uint32_t steps = settings_.steps;
        const uint32_t most = steps - std::min(steps, settings_.densifyUntil);
        return steps - std::min(settings_.of<AverageSettings>().averageSteps, most);
    }
    void recordAverage(gpu::Commands& c, const RefineJob& job) const {
        try {
            job.store.keepAverages(true);
        } catch (const gpu::OutOfMemory& e) {
            spdlog::warn("average_steps={} does nothing: {}", settings_.of<AverageSettings>().averageSteps, e.what());
            return;
        }
        c.dispatchIndirect(
            kernels::begin_average{.training = job.training, .average = state_, .restartUntil = before() + kEvery, .last = settings_.steps},
            job.tools.perBefore);
        for (size_t a = 0; a < std::size(kAttributes); ++a)
            recordWords(c, job, job.store.model.attributes.all()[a], job.store.averages->all()[a]);
    }
    void recordWords(gpu::Commands& c, const RefineJob& job, const PlanarBuffer& words, const PlanarBuffer& averages) const {
        for (size_t buffer = 0; buffer < words.buffers().size(); ++buffer) {
            c.dispatchIndirect(kernels::average_words{.refinement = job.refinement,
                                                      .average = state_,
                                                      .words = words.buffers()[buffer].words(),
                                                      .averages = averages.buffers()[buffer].words(),
                                                      .planes = words.planesOf(buffer),
                                                      .plane = words.words() * words.capacity(),
                                                      .kWords = words.words()},
                               job.tools.perBefore);
        }
    }

    gpu::Buffer state_;
    const TrainSettings& settings_;
};

}  // namespace

extern const StepPartRow kAveragePart{
    .name = "average",
    .settings = SettingsPart::byDefault<AverageSettings>,
    .wanted = [](const TrainSettings& s) { return s.of<AverageSettings>().averageSteps > 0; },
    .keep =
        [](GaussianStore& store, bool wanted) {
            if (!wanted) store.keepAverages(false);
        },
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> { return std::make_unique<AveragePart>(in); },
};

}  // namespace splat
