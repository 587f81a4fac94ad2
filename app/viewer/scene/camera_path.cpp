#include "viewer/scene/camera_path.h"

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>

namespace splat::app {

namespace {

template <class T>
T spline(const T& before, const T& from, const T& to, const T& after, double t) {
    const T a = 2.0 * from, b = to - before, c = 2.0 * before - 5.0 * from + 4.0 * to - after, d = 3.0 * (from - to) + after - before;
    return 0.5 * (a + t * (b + t * (c + t * d)));
}

}  // namespace

Pose poseOf(const Navigator& navigator) {
    return {.eye = navigator.eye(), .target = navigator.target(), .fieldOfView = navigator.fieldOfView()};
}

void take(Navigator& navigator, const Pose& pose) {
    navigator.setFieldOfView(pose.fieldOfView);
    navigator.look(pose.eye, pose.target);
}

Pose CameraPath::at(double time) const {
    SPLAT_CHECK(!keys_.empty(), "a path without keys");
    const auto last = static_cast<int>(keys_.size()) - 1;
    const double place = std::clamp(time, 0.0, 1.0) * last;
    const int segment = std::min(static_cast<int>(place), std::max(last - 1, 0));
    const double t = place - segment;
    const auto key = [&](int i) -> const Pose& { return keys_[static_cast<size_t>(std::clamp(i, 0, last))]; };
    const Pose &k0 = key(segment - 1), &k1 = key(segment), &k2 = key(segment + 1), &k3 = key(segment + 2);
    return {.eye = spline(k0.eye, k1.eye, k2.eye, k3.eye, t),
            .target = spline(k0.target, k1.target, k2.target, k3.target, t),
            .fieldOfView = spline(k0.fieldOfView, k1.fieldOfView, k2.fieldOfView, k3.fieldOfView, t)};
}

}  // namespace splat::app
