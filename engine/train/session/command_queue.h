#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace splat {

/// A queue of commands from other threads, executed in order.
class CommandQueue {
public:
    using Command = std::function<void()>;

    void post(Command command) {
        {
            const std::scoped_lock lock(mutex_);
            commands_.push_back(std::move(command));
            waiting_ = true;
            ++pending_;
        }
        posted_.notify_one();
    }
    /// Requests the end: no further commands are executed.
    void stop() {
        {
            const std::scoped_lock lock(mutex_);
            stopped_ = waiting_ = true;
        }
        posted_.notify_one();
    }

    /// The next command, if there is one; or waits for a command or stop().
    std::optional<Command> next(bool wait) {
        std::unique_lock lock(mutex_);
        if (wait) posted_.wait(lock, [&] { return waiting_.load(); });
        if (stopped_ || commands_.empty()) return {};
        Command command = std::move(commands_.front());
        commands_.pop_front();
        waiting_ = !commands_.empty();
        return command;
    }
    /// Marks the command returned by next() as done.
    void done() { --pending_; }
    /// Commands that are not done.
    uint32_t pending() const { return pending_; }
    /// Whether there is a command or a stop to handle; cheap to call.
    bool waiting() const { return waiting_; }
    bool stopped() const { return stopped_; }

private:
    std::mutex mutex_;
    std::condition_variable posted_;
    std::deque<Command> commands_;
    std::atomic<bool> waiting_ = false, stopped_ = false;
    std::atomic<uint32_t> pending_ = 0;
};

}  // namespace splat
