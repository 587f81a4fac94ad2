#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace splat {

/// How much work the host puts into the queue ahead of the GPU: a number, or less where that would be more than a time. Learns how long a
/// work takes from how fast works are done, so others' work in between counts as well.
class QueuePace {
public:
    using Clock = std::chrono::steady_clock;

    /// Milliseconds of work that may be ahead; 0: any.
    void setAhead(double milliseconds) { ahead_ = milliseconds; }
    /// The queue is empty now, and works follow.
    void begin(Clock::time_point now) { last_ = now; }
    /// So many works have been done since begin() or the last time.
    void done(size_t works, Clock::time_point now) {
        constexpr double kNewest = 0.2;  // its weight in the mean
        if (works == 0) return;
        const double each = std::chrono::duration<double, std::milli>(now - last_).count() / static_cast<double>(works);
        milliseconds_ = milliseconds_ == 0 ? each : (1 - kNewest) * milliseconds_ + kNewest * each;
        last_ = now;
    }

    /// Works that may be pending, 2 to `most`: the GPU starts one while the host puts the next together.
    size_t room(size_t most) const { return within(1, 2, most); }
    /// Works of one submission, 1 to `most`: half of the room, so that the queue does not run empty.
    size_t atOnce(size_t most) const { return within(2, 1, most); }

private:
    size_t within(double parts, size_t fewest, size_t most) const {
        if (ahead_ == 0) return most;
        if (milliseconds_ == 0) return fewest;
        return static_cast<size_t>(std::clamp(ahead_ / parts / milliseconds_, static_cast<double>(fewest), static_cast<double>(most)));
    }

    double ahead_ = 0;
    double milliseconds_ = 0;  ///< a work, lately; 0: not known yet
    Clock::time_point last_;
};

}  // namespace splat
