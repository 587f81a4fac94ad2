#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace splat {

/// Decides how far the host submits ahead of the GPU: a number of works, or fewer if those would take longer than a given time. Measures the
/// time per work from the rate at which works finish, so it includes other threads' work in between.
class QueuePace {
public:
    using Clock = std::chrono::steady_clock;

    /// Milliseconds of work that may be ahead; 0: no limit.
    void setAhead(double milliseconds) { ahead_ = milliseconds; }
    /// Starts measuring, with an empty queue.
    void begin(Clock::time_point now) { last_ = now; }
    /// Counts works that finished since begin() or the last call.
    void done(size_t works, Clock::time_point now) {
        constexpr double kNewest = 0.2;  // weight of the newest measurement in the running mean
        if (works == 0) return;
        const double each = std::chrono::duration<double, std::milli>(now - last_).count() / static_cast<double>(works);
        milliseconds_ = milliseconds_ == 0 ? each : (1 - kNewest) * milliseconds_ + kNewest * each;
        last_ = now;
    }

    /// Works that may be pending, 2 to `most`: the GPU runs one while the host submits the next.
    size_t capacity(size_t most) const { return within(1, 2, most); }
    /// Works per submission, 1 to `most`: half of capacity(), so that the queue does not run empty.
    size_t atOnce(size_t most) const { return within(2, 1, most); }

private:
    size_t within(double parts, size_t fewest, size_t most) const {
        if (ahead_ == 0) return most;
        if (milliseconds_ == 0) return fewest;
        return static_cast<size_t>(std::clamp(ahead_ / parts / milliseconds_, static_cast<double>(fewest), static_cast<double>(most)));
    }

    double ahead_ = 0;
    double milliseconds_ = 0;  ///< running mean per work; 0: not measured yet
    Clock::time_point last_;
};

}  // namespace splat
