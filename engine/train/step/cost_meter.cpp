#include <splatwright/train/step/cost_meter.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

void CostMeter::restart(uint32_t step) {
    restored_ = step;
    costs_ = {};
    firstSteps_ = 0;
    firstSeconds_ = 0;
}

void CostMeter::stepsDone(uint32_t done) {
    if (firstSteps_ > 0 || done <= restored_) return;
    firstSteps_ = done - restored_;
    firstSeconds_ = costs_.seconds + secondsOfRun();
}

TrainingCosts CostMeter::costs(uint32_t done) const {
    TrainingCosts costs = costs_;
    costs.steps = done;
    costs.stepsHere = done - restored_;
    const uint32_t later = costs.stepsHere - firstSteps_;
    if (firstSteps_ > 0 && later > 0) costs.millisecondsPerStep = 1000 * (costs.seconds - firstSeconds_) / later;
    return costs;
}

}  // namespace splat
