#pragma once

#include "scene/camera.h"
#include "scene/extent.h"

namespace splat::app {

/// Where a person looks from: around a point (orbit), or walking freely (fly). Angles in degrees, the world's up stays up.
class Navigator {
public:
    enum class Mode { orbit, fly };

    explicit Navigator(const glm::dvec3& up = {0, -1, 0}) { setUp(up); }

    Mode mode() const { return mode_; }
    void setMode(Mode mode) { mode_ = mode; }
    glm::dvec3 up() const { return up_; }
    /// Throws InputError for 0,0,0. The view turns along.
    void setUp(const glm::dvec3& up);
    double fieldOfView() const { return fieldOfView_; }
    /// Along the picture's shorter side.
    void setFieldOfView(double degrees);
    glm::dvec3 target() const { return target_; }
    double distance() const { return distance_; }
    glm::dvec3 eye() const { return target_ - distance_ * forward(); }

    /// The view of a picture of this size.
    Camera camera(glm::uvec2 size) const;

    /// Turns around the target.
    void orbit(double yaw, double pitch);
    /// Turns around the eye.
    void look(double yaw, double pitch);
    /// Moves sideways so that what is at the target's distance follows the pointer; in heights of the picture.
    void pan(double right, double down);
    /// Towards the target: 0.5 halves the distance.
    void zoom(double factor);
    /// Walks along the view's right, down and forward, in distances to the target.
    void fly(const glm::dvec3& steps);
    /// Sees a ball whole, from where the view is turned to now.
    void frame(const Extent& extent);
    /// As frame(), from the front and a little above.
    void reset(const Extent& extent);
    /// Looks at a point from where the eye is.
    void focus(const glm::dvec3& point);
    /// Looks from one point at another.
    void look(const glm::dvec3& eye, const glm::dvec3& target);
    /// Stands where a camera stands; a roll of it is lost.
    void follow(const Camera& camera);

    bool operator==(const Navigator&) const = default;

private:
    glm::dvec3 forward() const;
    glm::dvec3 right() const;
    void turnTo(const glm::dvec3& forward);
    double distanceFor(double radius) const;

    Mode mode_ = Mode::orbit;
    glm::dvec3 up_, front_, side_;  ///< the world's axes: orthonormal
    glm::dvec3 target_{0};
    double distance_ = 5;
    double yaw_ = 0, pitch_ = 20;  ///< of the view; pitch is how far it looks down
    double fieldOfView_ = 50;
};

}  // namespace splat::app
