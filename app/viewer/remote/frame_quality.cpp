#include "viewer/remote/frame_quality.h"

#include <algorithm>

namespace splat::app {

namespace {

// Seconds that a frame takes beyond the fastest one.
constexpr double kFast = 0.03, kSlow = 0.1;
constexpr int kUp = 2;  // quality rises slowly, so that it does not swing
constexpr double kDown = 0.85;

}  // namespace

void FrameQuality::took(double seconds) {
    least_ = std::min(least_, seconds);
    const double queued = seconds - least_;
    if (queued < kFast) {
        quality_ = std::min(quality_ + kUp, kMost);
    } else if (queued > kSlow) {
        quality_ = std::max(static_cast<int>(quality_ * kDown), kLeast);
    }
}

}  // namespace splat::app
