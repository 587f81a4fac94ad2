#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>

namespace splat {

/// Wall time per step over the last steps. Reports arrive in bursts, so that a window shorter than a burst would say nothing.
class StepClock {
public:
    /// Starts anew after a pause.
    void restart(uint32_t step) {
        laps_.clear();
        laps_.push_back({step, Clock::now()});
    }
    /// Milliseconds per step up to this one. The first report of all comes after kernels were compiled: it is NaN and counts for no other.
    double lap(uint32_t step) {
        constexpr uint32_t kWindow = 100;  // steps, at least
        if (std::exchange(first_, false)) {
            restart(step);
            return std::numeric_limits<double>::quiet_NaN();
        }
        laps_.push_back({step, Clock::now()});
        while (laps_.size() > 2 && laps_[1].step + kWindow <= step) laps_.pop_front();
        const auto [first, then] = laps_.front();
        return std::chrono::duration<double, std::milli>(laps_.back().time - then).count() / std::max(1u, step - first);
    }

private:
    using Clock = std::chrono::steady_clock;
    struct Lap {
        uint32_t step;
        Clock::time_point time;
    };
    std::deque<Lap> laps_;
    bool first_ = true;
};

}  // namespace splat
