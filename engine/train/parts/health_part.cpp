#include <splatwright/train/parts/health_meter.h>
#include <splatwright/train/parts/step_part.h>

namespace splat {

namespace {

/// Measures the model's health between a step and its refinement, so that the measurement belongs to the step's own model.
class HealthPart : public StepPart {
public:
    explicit HealthPart(const StepPartInputs& in)
        : meter_(in.training),
          ring_(in.device().buffer<glm::vec4>("health ring", in.statusSlots, gpu::Residence::readback)),
          slots_(in.statusSlots) {}

    std::vector<RefineEvent> eventsBefore() const override {
        return {{"measure health", HealthMeter::dueAfter,
                 [this](gpu::Commands& c, const RefineJob& job) { meter_.record(c, job, ring_, slots_); }}};
    }
    bool reportsAfter(uint32_t steps) const override { return HealthMeter::dueAfter(steps); }
    void report(StepReport& report, uint32_t slot) const override {
        report.health = HealthMeter::healthOf(ring_.mapped<glm::vec4>()[slot], report.gaussians);
    }

private:
    HealthMeter meter_;
    gpu::Buffer ring_;
    uint32_t slots_;
};

}  // namespace

extern const StepPartRow kHealthPart{
    .name = "health",
    .wanted = [](const TrainSettings& s) { return trainedKind(s).measuresHealth; },
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> { return std::make_unique<HealthPart>(in); },
};

}  // namespace splat
