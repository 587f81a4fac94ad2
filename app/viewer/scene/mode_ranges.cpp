#include "viewer/scene/mode_ranges.h"

namespace splat::app {

void ModeRanges::apply(const Range& range, RenderSettings& settings) {
    settings.autoRange = range.automatic;
    settings.rangeLow = range.low;
    settings.rangeHigh = range.high;
}

void ModeRanges::lock(RenderSettings& settings, std::pair<double, double> range) {
    shared_ = rangeOf(settings);
    locked_[settings.picture] = {.automatic = false, .low = range.first, .high = range.second};
    apply(locked_[settings.picture], settings);
}

void ModeRanges::unlock(RenderSettings& settings) {
    if (locked_.erase(settings.picture) > 0) apply(shared_, settings);
    settings.autoRange = true;
}

void ModeRanges::follow(RenderSettings& settings) {
    if (settings.picture == mode_) return;
    if (const auto before = locked_.find(mode_); before != locked_.end()) {
        before->second = rangeOf(settings);
        apply(shared_, settings);
    }
    mode_ = settings.picture;
    const auto now = locked_.find(mode_);
    if (now == locked_.end()) return;
    shared_ = rangeOf(settings);
    apply(now->second, settings);
}

ModeRanges::Locks ModeRanges::locks(const RenderSettings& settings) const {
    Locks all{.modes = locked_, .shared = shared_};
    const auto now = all.modes.find(settings.picture);
    (now == all.modes.end() ? all.shared : now->second) = rangeOf(settings);
    return all;
}

void ModeRanges::restore(Locks locks, const RenderSettings& settings) {
    mode_ = settings.picture;
    locked_ = std::move(locks.modes);
    shared_ = locks.shared;
}

}  // namespace splat::app
