#pragma once

#include <vector>

#include "viewer/scene/navigator.h"

namespace splat::app {

/// A camera pose, kept as a bookmark or as a key of a camera path.
struct Pose {
    glm::dvec3 eye{0};
    glm::dvec3 target{0, 0, 1};
    double fieldOfView = 50;
};

Pose poseOf(const Navigator& navigator);
void take(Navigator& navigator, const Pose& pose);

/// A camera path through poses, smooth in position and direction (Catmull-Rom spline).
class CameraPath {
public:
    void add(const Pose& pose) { keys_.push_back(pose); }
    void removeLast() {
        if (!keys_.empty()) keys_.pop_back();
    }
    void clear() { keys_.clear(); }
    const std::vector<Pose>& keys() const { return keys_; }

    /// time: 0 at the first key, 1 at the last; at least one key.
    Pose at(double time) const;

private:
    std::vector<Pose> keys_;
};

}  // namespace splat::app
