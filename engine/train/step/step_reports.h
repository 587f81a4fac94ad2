#pragma once

#include <functional>
#include <optional>

#include <splatwright/train/model/step_report.h>
#include <splatwright/train/step/step_queue.h>

namespace splat {

/// Reports finished steps, each once: when the events after it that complete its report are done as well, and up to the first diverged step.
class StepReports {
public:
    /// Returns false to end the run.
    using OnStep = std::function<bool(const StepReport&)>;

    explicit StepReports(const StepRecorder& recorder) : recorder_(recorder) {}

    /// Counts a work as done; works come in order. Returns false if a report was answered with false, or training has diverged.
    bool finish(const FinishedWork& finished, const OnStep& onStep);
    /// Throws Diverged if a step has.
    void refuseDiverged() const;
    /// Forgets what is not reported yet, and that training has diverged.
    void restart();

private:
    bool finishStep(const FinishedWork& finished, const OnStep& onStep);

    const StepRecorder& recorder_;
    std::optional<Diverged> diverged_;  ///< by the first step that has
    std::optional<StepReport> held_;    ///< of a step whose events that complete its report are not all done
    uint32_t heldEvents_ = 0;           ///< of those events, done
};

}  // namespace splat
