#include <splatwright/train/step/accumulation_trials.h>

#include <numeric>

#include <splatwright/core/log.h>
#include <splatwright/gpu/kernel_needs.h>

namespace splat {

namespace {

void tell(const AccumulationDecision& d) {
    spdlog::info("step {}: accumulation by {}, {:.3f} ms; next {}, {:.3f} ms", d.step, nameOf(d.chosen), d.milliseconds, nameOf(d.next),
                 d.nextMilliseconds);
}

}  // namespace

std::string AccumulationTrials::missingFeature(const gpu::Device& device) {
    for (const gpu::Feature needed : {gpu::Feature::timestamps, gpu::Feature::floatAtomics, gpu::Feature::subgroupOperations}) {
        if (std::string missing = gpu::missingFor(device, needed); !missing.empty()) return missing;
    }
    return "";
}

void AccumulationTrials::restart(const std::vector<AccumulationMethod>& methods) {
    abandon();
    choice_.reset();
    if (methods.empty()) return;
    recorder_.settle(methods);
    recorder_.accumulateBy(methods[0]);
    if (const std::string missing = missingFeature(device_); missing.empty()) {
        choice_.emplace(methods);
    } else {
        spdlog::info("accumulate is 'auto', but '{}' has no {}: accumulation by {}", device_.name(), missing, nameOf(methods[0]));
    }
}

void AccumulationTrials::clearCosts() {
    decisions_.clear();
    milliseconds_ = 0;
}

const gpu::Commands* AccumulationTrials::behind(uint32_t step, size_t image) {
    if (!choice_) return nullptr;
    const std::vector<AccumulationMethod> methods = choice_->toTime(step);
    if (methods.empty()) return nullptr;
    trial_.emplace(Trial{step, recorder_.recordTrial(image, methods)});
    return &trial_->commands;
}

void AccumulationTrials::done(uint32_t step) {
    if (!trial_ || trial_->step != step) return;
    const std::vector<double> times = trial_->commands.stageMilliseconds();
    trial_.reset();
    milliseconds_ += std::reduce(times.begin(), times.end());
    const auto decision = choice_->timed(step + 1, times);
    if (!decision) return;
    tell(*decision);
    decisions_.push_back(*decision);
    recorder_.accumulateBy(decision->chosen);
}

void AccumulationTrials::abandon() {
    trial_.reset();
    if (choice_) choice_->forget();
}

}  // namespace splat
