#include <splatwright/train/step/step_queue.h>

#include <vector>

#include <splatwright/core/error.h>

namespace splat {

namespace {

constexpr uint32_t kTimedEvery = 16;   // timestamps cost a step on an H200 0.04 of 0.85 ms
constexpr size_t kWorksInFlight = 32;  // fewer than the status ring's slots; enough that the GPU never runs dry while the host sleeps

gpu::StageTimes timesOf(uint32_t step) { return step % kTimedEvery == 0 ? gpu::StageTimes::measured : gpu::StageTimes::none; }

}  // namespace

StepQueue::StepQueue(gpu::Device& device, StepRecorder& recorder, AccumulationTrials& trials, ViewOrder order)
    : device_(device), recorder_(recorder), trials_(trials), order_(std::move(order)) {}

bool StepQueue::full() const { return pending_.size() >= pace_.capacity(kWorksInFlight); }

/// A step is followed by its events, in their order, and then by the next step.
StepWork StepQueue::following(const StepWork& work) const {
    const auto& events = recorder_.events();
    for (auto e = static_cast<size_t>(work.event + 1); e < events.size(); ++e) {
        if (events[e].due(work.step + 1)) return {work.step, static_cast<int>(e)};
    }
    return {work.step + 1, StepWork::kStep};
}

size_t StepQueue::nextImage() { return recorder_.image(next_.step, order_[next_.step]); }

void StepQueue::submitNext(uint32_t untilStep) {
    Targets& targets = recorder_.targets();
    std::vector<const gpu::Commands*> recordings;
    std::vector<Pending> works;
    gpu::Arrival photographs;  // of the last step: images arrive in order, so all have arrived
    const size_t atOnce = pace_.atOnce(targets.stepsAtOnce());
    for (; works.size() < atOnce && hasMore(untilStep); next_ = following(next_)) {
        const size_t image = nextImage();
        works.push_back({next_, image, {}});
        recordings.push_back(next_.isStep() ? &recorder_.step(image, timesOf(next_.step))
                                            : &recorder_.event(static_cast<size_t>(next_.event)));
        if (!next_.isStep()) continue;
        photographs = targets.fetch(next_.step, image);
        if (const gpu::Commands* trial = trials_.behind(next_.step, image)) recordings.push_back(trial);
    }
    const gpu::Ticket ticket = device_.submit(recordings, photographs);
    for (Pending& p : works) {
        p.ticket = ticket;
        if (p.work.isStep()) targets.release(p.work.step, ticket);
    }
    pending_.insert(pending_.end(), works.begin(), works.end());
}

void StepQueue::waitForHalf() { device_.wait(pending_[(pending_.size() - 1) / 2].ticket); }

void StepQueue::waitForAll() {
    if (!pending_.empty()) device_.wait(pending_.back().ticket);
}

std::optional<shared::StepStatus> StepQueue::collect(const std::function<void(const FinishedWork&)>& onFinished) {
    const size_t before = pending_.size();
    while (!pending_.empty() && device_.done(pending_.front().ticket)) {
        const shared::StepStatus status = recorder_.status(serial_);
        if (status.halted) return status;
        const Pending oldest = pending_.front();
        SPLAT_CHECK(status.step == oldest.work.step + 1, "the GPU did step {}, expected {}", status.step, oldest.work.step + 1);
        pending_.pop_front();
        if (oldest.work.isStep()) trials_.done(oldest.work.step);
        onFinished({oldest.work, oldest.image, serial_++, status});
    }
    pace_.done(before - pending_.size(), QueuePace::Clock::now());
    return std::nullopt;
}

size_t StepQueue::rewind() {
    const size_t works = pending_.size();
    next_ = pending_.front().work;
    waitForAll();
    trials_.abandon();
    serial_ += works;
    pending_.clear();
    return works;
}

}  // namespace splat
