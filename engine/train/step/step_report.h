#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/train/loss/loss.h>
#include <splatwright/train/step/accumulation_choice.h>
#include <splatwright/train/watch/model_health.h>

namespace splat {

/// Result of a finished step, read from the GPU some steps late.
struct StepReport {
    uint32_t step = 0;  ///< steps done
    double loss = 0;    ///< what the step minimised: the sum of weight * value over `losses`
    uint32_t gaussians = 0;
    uint32_t visible = 0;
    uint32_t instances = 0;
    std::vector<LossShare> losses = {};      ///< the terms that have a weight
    uint32_t view = 0;                       ///< training view that the step learned from
    std::optional<ModelHealth> health = {};  ///< after the step, if it was measured
};

/// Training that cannot go on: the loss, or too many Gaussians, are no longer finite. The message names the step.
class Diverged : public Error {
public:
    Diverged(const StepReport& firstBadStep, const std::string& message) : Error("{}", message), report(firstBadStep) {}

    StepReport report;  ///< of the first bad step
};

/// GPU time of one stage of a training step.
struct StageCost {
    std::string name;
    double milliseconds = 0;  ///< summed over `steps`
    uint32_t steps = 0;       ///< number of steps that were timed; few have time stamps

    /// Mean over the timed steps; NaN if none was.
    double perStep() const { return steps > 0 ? milliseconds / steps : std::numeric_limits<double>::quiet_NaN(); }
    bool operator==(const StageCost&) const = default;
};

/// Costs of a run. Times but those of stages are sums over `stepsHere` steps, so that a reader can take means over any window of steps.
struct TrainingCosts {
    uint32_t steps = 0;              ///< in all
    uint32_t stepsHere = 0;          ///< since the last restore, if there was one
    double seconds = 0;              ///< wall time inside run(), of stepsHere
    double millisecondsPerStep = 0;  ///< mean wall time without the first step, which waits for kernels to be compiled; 0: not known
    double hostMicroseconds = 0;     ///< CPU time of the submitting thread, without waits for capacity in the queue
    uint64_t waitsInSteps = 0;       ///< fence or semaphore waits while a step is recorded and submitted; 0 by construction
    uint64_t pacingWaits = 0;        ///< waits because the host was a whole queue of steps ahead
    uint64_t repeatedSteps = 0;      ///< steps replayed after a capacity overflowed
    std::vector<StageCost> stages;
    std::vector<AccumulationDecision> accumulations;  ///< of `accumulate=auto`, oldest first

    /// Mean per step of a sum over stepsHere.
    double perStep(double sum) const { return sum / std::max(1u, stepsHere); }
};

}  // namespace splat
