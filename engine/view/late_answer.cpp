#include <splatwright/view/late_answer.h>

#include <numeric>
#include <vector>

#include <splatwright/core/log.h>

namespace splat {

/// A lost device does not use the buffers either.
LateAnswer::~LateAnswer() {
    try {
        finish();
    } catch (const Error& e) {
        spdlog::debug("while leaving the {}: {}", name_, e.what());
    }
}

gpu::Commands& LateAnswer::ask() {
    SPLAT_CHECK(!asked_, "the answer of the {} is still to come", name_);
    commands_.reset();
    return commands_.emplace(device_, name_);
}

void LateAnswer::submit() {
    commands_->end();
    ticket_ = device_.submit(*commands_);
    asked_ = true;
}

bool LateAnswer::take() {
    if (!asked_ || !device_.done(ticket_)) return false;
    asked_ = false;
    return true;
}

double LateAnswer::milliseconds() const {
    const std::vector<double> stages = commands_->stageMilliseconds();
    return std::accumulate(stages.begin(), stages.end(), 0.0);
}

void LateAnswer::finish() {
    if (asked_) device_.wait(ticket_);
}

}  // namespace splat
