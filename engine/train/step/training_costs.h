#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <splatwright/train/step/accumulation_choice.h>

namespace splat {

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
