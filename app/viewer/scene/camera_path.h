#pragma once

#include <cstddef>
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

/// A pose at a time.
struct PathKey {
    Pose pose;
    double time = 0;  ///< seconds from the first key
};

/// A camera path through keys, smooth in position, direction and speed: a Catmull-Rom spline for even times.
class CameraPath {
public:
    static constexpr double kSeconds = 2;        ///< from the last key to a new one
    static constexpr double kMostSeconds = 1e5;  ///< of a path

    /// At the end.
    void add(const Pose& pose);
    void setPose(size_t key, const Pose& pose) { keys_.at(key).pose = pose; }
    /// Gives the key another time, among the others' or beyond; the first key is at 0 again. Returns its new index.
    size_t move(size_t key, double time);
    void remove(size_t key);
    /// Makes all of it take so long.
    void retime(double seconds);
    void clear() { keys_.clear(); }
    /// Replaces all keys; in any order of times.
    void set(std::vector<PathKey> keys);
    const std::vector<PathKey>& keys() const { return keys_; }
    double seconds() const { return keys_.empty() ? 0 : keys_.back().time; }

    /// Time: 0 at the first key; at least one key.
    Pose at(double seconds) const;

private:
    void sort();

    std::vector<PathKey> keys_;  ///< by time, from 0
};

}  // namespace splat::app
