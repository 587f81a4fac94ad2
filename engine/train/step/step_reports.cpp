#include <splatwright/train/step/step_reports.h>

#include <utility>

#include <splatwright/train/step/divergence.h>

namespace splat {

bool StepReports::finish(const FinishedWork& finished, const OnStep& onStep) {
    if (diverged_) return true;
    if (finished.work.isStep()) return finishStep(finished, onStep);
    if (!held_) return true;
    recorder_.report(heldEvents_++, finished.serial, *held_);
    if (heldEvents_ < recorder_.reportsAfter(held_->step)) return true;
    return onStep(*std::exchange(held_, {}));
}

bool StepReports::finishStep(const FinishedWork& finished, const OnStep& onStep) {
    const shared::StepStatus& status = finished.status;
    const std::vector<LossShare> losses = recorder_.losses(finished.serial, finished.image);
    const StepReport report{
        status.step, totalLoss(losses), status.gaussians, status.visible, status.instances, losses, recorder_.viewOf(finished.image)};
    if (const auto problem = divergenceOf(report, status.unusable)) diverged_.emplace(*problem);
    if (diverged_) return false;
    if (recorder_.reportsAfter(report.step) == 0) return onStep(report);
    held_ = report;
    heldEvents_ = 0;
    return true;
}

void StepReports::refuseDiverged() const {
    if (diverged_) throw Diverged(*diverged_);
}

void StepReports::restart() {
    diverged_.reset();
    held_.reset();
}

}  // namespace splat
