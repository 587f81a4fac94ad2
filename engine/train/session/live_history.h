#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace splat {

/// A point of the training curves.
struct LivePoint {
    static constexpr size_t kMostTerms = 8;

    uint32_t step = 0;
    double loss = 0;
    uint32_t splats = 0;
    double milliseconds = 0;                ///< per step
    std::array<float, kMostTerms> terms{};  ///< of the loss, times their weights, in the order of LiveState::lossTerms
};

/// Evenly spaced steps for plots, at most kMost: when it is full, every other one is dropped and the interval doubles.
class LiveHistory {
public:
    static constexpr size_t kMost = 2000;

    void add(const LivePoint& point) {
        if (point.step % every_ != 0) return;
        points_.push_back(point);
        if (points_.size() < kMost) return;
        every_ *= 2;
        std::erase_if(points_, [&](const LivePoint& p) { return p.step % every_ != 0; });
    }
    const std::vector<LivePoint>& points() const { return points_; }

private:
    uint32_t every_ = 1;  ///< steps between two points
    std::vector<LivePoint> points_;
};

}  // namespace splat
