#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include <splatwright/gpu/device.h>
#include <splatwright/train/step/accumulation_trials.h>
#include <splatwright/train/step/queue_pace.h>
#include <splatwright/train/step/step_recorder.h>
#include <splatwright/train/step/view_order.h>

namespace splat {

/// One recording to submit: a training step, or one of the densifier's events that follow it.
struct StepWork {
    static constexpr int kStep = -1;
    uint32_t step = 0;  ///< counted from 0
    int event = kStep;  ///< index into StepRecorder::events()

    bool isStep() const { return event == kStep; }
};

/// A work that is done on the GPU, and the status record it wrote.
struct FinishedWork {
    StepWork work;
    size_t image = 0;     ///< of StepRecorder::image()
    uint64_t serial = 0;  ///< number of works submitted before
    shared::StepStatus status;
};

/// Submits steps and their events in order, keeps the GPU a queue ahead, and collects the status of each work once it is done.
class StepQueue {
public:
    StepQueue(gpu::Device& device, StepRecorder& recorder, AccumulationTrials& trials, ViewOrder order);

    /// Another order from the next step on; the queue must be empty.
    void setOrder(ViewOrder order) { order_ = std::move(order); }

    void setAhead(double milliseconds) { pace_.setAhead(milliseconds); }
    /// Starts measuring how long a work takes; the queue must be empty.
    void begin() { pace_.begin(QueuePace::Clock::now()); }
    /// Continues at this step, counted from 0; the queue must be empty.
    void restartAt(uint32_t step) { next_ = {.step = step}; }

    const StepWork& next() const { return next_; }
    /// Image of the next step, or of the one that the next event belongs to.
    size_t nextImage();
    bool hasMore(uint32_t untilStep) const { return !next_.isStep() || next_.step < untilStep; }
    size_t pending() const { return pending_.size(); }
    bool empty() const { return pending_.empty(); }
    bool full() const;

    /// Submits the next few works before `untilStep` in one submission.
    void submitNext(uint32_t untilStep);
    /// Waits until half of the queue is done, so that the GPU does not run dry meanwhile.
    void waitForHalf();
    void waitForAll();

    /// Removes the works that are done, oldest first, and passes each to `onFinished`. Stops at the first that overflowed a capacity and
    /// returns its status; it stays in the queue.
    std::optional<shared::StepStatus> collect(const std::function<void(const FinishedWork&)>& onFinished);
    /// Empties the queue and goes back to its oldest work, to replay all that followed an overflow. Returns the number of works to replay.
    size_t rewind();

private:
    struct Pending {
        StepWork work;
        size_t image;
        gpu::Ticket ticket;
    };

    StepWork following(const StepWork& work) const;

    gpu::Device& device_;
    StepRecorder& recorder_;
    AccumulationTrials& trials_;
    ViewOrder order_;
    QueuePace pace_;
    std::deque<Pending> pending_;
    StepWork next_;        ///< to be submitted
    uint64_t serial_ = 0;  ///< of the oldest pending work
};

}  // namespace splat
