#pragma once

#include <vector>

#include <splatwright/train/model/step_report.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

/// Computes stage means over recent steps from the sums that a run reports.
class StageWindow {
public:
    /// Mean GPU milliseconds per step since the last call that found any; empty if no step was timed since.
    std::vector<StageCost> advance(const TrainingCosts& costs) {
        if (costs.stepsHere < steps_) *this = {};  // the run was restarted
        steps_ = costs.stepsHere;
        if (costs.stages.empty() || costs.stages[0].steps == (sums_.empty() ? 0 : sums_[0].steps)) return {};
        std::vector<StageCost> means;
        for (size_t i = 0; i < costs.stages.size(); ++i) {
            StageCost since = costs.stages[i];
            if (i < sums_.size() && sums_[i].name == since.name) {
                since.milliseconds -= sums_[i].milliseconds;
                since.steps -= sums_[i].steps;
            }
            means.push_back({since.name, since.steps > 0 ? since.perStep() : 0, since.steps});
        }
        sums_ = costs.stages;
        return means;
    }

private:
    uint32_t steps_ = 0;  ///< of the last call
    std::vector<StageCost> sums_;
};

}  // namespace splat
