#include "viewer/scene/camera_path.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <splatwright/core/error.h>

namespace splat::app {

namespace {

/// A cubic polynomial between two values with the given slopes, per part of the way.
template <class T>
T hermite(const T& from, const T& slopeFrom, const T& to, const T& slopeTo, double t) {
    const double left = 1 - t;
    return left * left * ((1 + 2 * t) * from + t * slopeFrom) + t * t * ((1 + 2 * left) * to - left * slopeTo);
}

/// The four keys around a moment; those beyond the path are its ends, as long before or after as the neighbour.
struct Around {
    PathKey before, from, to, after;

    template <class T>
    T value(T Pose::*member, double t) const {
        const double length = to.time - from.time;
        const auto slope = [&](const PathKey& a, const PathKey& b) {
            return (length / (b.time - a.time)) * (b.pose.*member - a.pose.*member);
        };
        return hermite(from.pose.*member, slope(before, to), to.pose.*member, slope(from, after), t);
    }
};

}  // namespace

Pose poseOf(const Navigator& navigator) {
    return {.eye = navigator.eye(), .target = navigator.target(), .fieldOfView = navigator.fieldOfView()};
}

void take(Navigator& navigator, const Pose& pose) {
    navigator.setFieldOfView(pose.fieldOfView);
    navigator.look(pose.eye, pose.target);
}

void CameraPath::add(const Pose& pose) { keys_.push_back({pose, keys_.empty() ? 0 : seconds() + kSeconds}); }

size_t CameraPath::move(size_t key, double time) {
    PathKey moved = keys_.at(key);
    moved.time = time;
    keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(key));
    const auto place = std::ranges::upper_bound(keys_, time, {}, &PathKey::time);
    const auto index = static_cast<size_t>(std::distance(keys_.begin(), keys_.insert(place, moved)));
    sort();
    return index;
}

void CameraPath::remove(size_t key) {
    keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(key));
    sort();
}

void CameraPath::retime(double length) {
    const double factor = seconds() > 0 ? length / seconds() : 1;
    for (PathKey& key : keys_) key.time *= factor;
}

void CameraPath::set(std::vector<PathKey> keys) {
    keys_ = std::move(keys);
    sort();
}

void CameraPath::sort() {
    std::ranges::stable_sort(keys_, {}, &PathKey::time);
    const double first = keys_.empty() ? 0 : keys_.front().time;
    for (PathKey& key : keys_) key.time -= first;
}

Pose CameraPath::at(double time) const {
    SPLAT_CHECK(!keys_.empty(), "a path without keys");
    if (time <= 0) return keys_.front().pose;
    if (time >= seconds()) return keys_.back().pose;
    const auto to = std::ranges::upper_bound(keys_, time, {}, &PathKey::time), from = std::prev(to);
    const double length = to->time - from->time;
    const PathKey before = from == keys_.begin() ? PathKey{from->pose, from->time - length} : *std::prev(from);
    const PathKey after = std::next(to) == keys_.end() ? PathKey{to->pose, to->time + length} : *std::next(to);
    const Around around{before, *from, *to, after};
    const double t = (time - from->time) / length;
    return {
        .eye = around.value(&Pose::eye, t), .target = around.value(&Pose::target, t), .fieldOfView = around.value(&Pose::fieldOfView, t)};
}

}  // namespace splat::app
