#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "train/trainer.h"

namespace splat {

/// Makes the stages' means over the last second or so of the means over a whole run.
class StageClock {
public:
    /// Whether it is time for lap() again, which asks the GPU.
    bool due() const { return Clock::now() - last_ >= std::chrono::seconds(1); }

    /// GPU milliseconds a step since the last time; nothing where there were no steps.
    std::vector<std::pair<std::string, double>> lap(const TrainingCosts& costs) {
        last_ = Clock::now();
        if (costs.stepsHere <= steps_) return {};
        std::vector<std::pair<std::string, double>> sums = costs.stages, lately;
        for (size_t i = 0; i < sums.size(); ++i) {
            sums[i].second *= costs.stepsHere;
            const double before = i < sums_.size() && sums_[i].first == sums[i].first ? sums_[i].second : 0;
            lately.emplace_back(sums[i].first, (sums[i].second - before) / (costs.stepsHere - steps_));
        }
        sums_ = std::move(sums);
        steps_ = costs.stepsHere;
        return lately;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_ = Clock::now();
    uint32_t steps_ = 0;  ///< since the run was restored, if it was: what the means are over
    std::vector<std::pair<std::string, double>> sums_;
};

}  // namespace splat
