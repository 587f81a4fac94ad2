#pragma once

#include <splatwright/train/parts/step_part.h>

namespace splat {

/// Decides once, after some training without them, whether exposures and colour grids act: only if photographs differ in colour by more than a
/// model without them explains. What it explains by the view, as brightness that follows the camera, its test views and renders have, too, and
/// loses if exposures or grids explain it.
class ColourChanges : public StepPart {
public:
    explicit ColourChanges(const StepPartInputs& inputs);

    void provide(StepJob& job) const override { job.colourChanges = changes_; }
    void recordAfterLoss(gpu::Commands& commands, const StepJob& job) const override;
    void recordAfterUpdate(gpu::Commands& commands, const StepJob& job) const override;
    std::vector<RefineEvent> eventsBefore() const override;
    bool reportsAfter(uint32_t steps) const override;
    /// Also says in the log what was decided.
    void report(StepReport& report, uint32_t slot) const override;
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const override;

private:
    const TrainSettings& settings_;
    Coverage coverage_;
    uint32_t views_, slots_;
    gpu::Buffer changes_;  ///< shared::ColourChanges
    /// vec4 per view, of its last step: mean over pixels of photograph - render, and the photograph's brightness
    gpu::Buffer differences_;
    gpu::Buffer partials_, ring_;
};

}  // namespace splat
