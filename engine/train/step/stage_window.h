#pragma once

#include <vector>

#include <splatwright/train/step/step_report.h>

namespace splat {

/// Computes stage means over recent steps from the sums that a run reports.
class StageWindow {
public:
    /// Mean GPU milliseconds per step since the last call; empty if no step was done since.
    std::vector<StageCost> advance(const TrainingCosts& costs) {
        if (costs.stepsHere < steps_) *this = {};  // the run was restarted
        if (costs.stepsHere == steps_) return {};
        std::vector<StageCost> means = costs.stages;
        for (size_t i = 0; i < means.size(); ++i) {
            const double before = i < sums_.size() && sums_[i].name == means[i].name ? sums_[i].milliseconds : 0;
            means[i].milliseconds = (means[i].milliseconds - before) / (costs.stepsHere - steps_);
        }
        sums_ = costs.stages;
        steps_ = costs.stepsHere;
        return means;
    }

private:
    uint32_t steps_ = 0;  ///< covered by sums_
    std::vector<StageCost> sums_;
};

}  // namespace splat
