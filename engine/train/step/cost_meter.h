#pragma once

#include <chrono>
#include <cstdint>

#include <splatwright/core/threads.h>
#include <splatwright/gpu/device.h>
#include <splatwright/train/model/step_report.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

/// Measures the host's side of TrainingCosts.
class CostMeter {
public:
    explicit CostMeter(const gpu::Device& device) : device_(device) {}

    /// Counts everything from this step on. Costs before a restore belong to other steps.
    void restart(uint32_t step);

    void beginRun() { start_ = Clock::now(); }
    /// The run has finished this many steps in all. The first report ends the warm-up, which waits for kernels to be compiled.
    void stepsDone(uint32_t done);
    void endRun() { costs_.seconds += secondsOfRun(); }

    /// Runs `submit`, which should not wait for the GPU, and counts its CPU time and its waits.
    template <typename Submit>
    void measureSubmission(const Submit& submit) {
        const uint64_t waits = device_.waits();
        measureHost(submit);
        costs_.waitsInSteps += device_.waits() - waits;
    }
    /// Runs `work` and counts its CPU time.
    template <typename HostWork>
    void measureHost(const HostWork& work) {
        const double before = threadMicroseconds();
        work();
        costs_.hostMicroseconds += threadMicroseconds() - before;
    }
    void countPacingWait() { ++costs_.pacingWaits; }
    void countReplayed(uint64_t works) { costs_.repeatedSteps += works; }

    /// The costs after this many steps in all, without those of the GPU's stages.
    TrainingCosts costs(uint32_t done) const;

private:
    using Clock = std::chrono::steady_clock;

    double secondsOfRun() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    const gpu::Device& device_;
    TrainingCosts costs_;
    Clock::time_point start_;
    uint32_t restored_ = 0;    ///< steps done before the last restart
    uint32_t firstSteps_ = 0;  ///< steps up to the first report since the last restart; 0: none has come
    double firstSeconds_ = 0;  ///< the part of costs_.seconds up to that report
};

}  // namespace splat
