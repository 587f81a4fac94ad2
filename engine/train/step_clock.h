#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

namespace splat {

/// Wall time a step over the last steps. Reports arrive in bursts, so that a window shorter than a burst would say nothing.
class StepClock {
public:
    /// Starts anew after a pause.
    void restart(uint32_t step) {
        laps_.clear();
        laps_.push_back({step, Clock::now()});
    }
    /// Milliseconds a step up to this one.
    double lap(uint32_t step) {
        constexpr uint32_t kWindow = 100;  // steps, at least
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
};

}  // namespace splat
