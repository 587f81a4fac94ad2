#pragma once

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/extent.h>

namespace splat::app {

/// The viewer's camera: around a target (orbit) or free (fly). Angles are in degrees, and there is no roll.
class Navigator {
public:
    enum class Mode { orbit, fly };

    static constexpr float kLeastFieldOfView = 5, kMostFieldOfView = 150;  ///< degrees

    explicit Navigator(const glm::dvec3& up = {0, -1, 0}) { setUp(up); }

    Mode mode() const { return mode_; }
    void setMode(Mode mode) { mode_ = mode; }
    glm::dvec3 up() const { return up_; }
    /// Throws InputError for 0,0,0. The view rotates with it.
    void setUp(const glm::dvec3& up);
    double fieldOfView() const { return fieldOfView_; }
    /// Field of view along the picture's shorter side; beyond its range the nearest in it.
    void setFieldOfView(double degrees);
    glm::dvec3 target() const { return target_; }
    double distance() const { return distance_; }
    glm::dvec3 eye() const { return target_ - distance_ * forward(); }

    /// The camera for a picture of this size.
    Camera camera(glm::uvec2 size) const;

    /// Rotates around the target.
    void orbit(double yaw, double pitch);
    /// Rotates around the eye.
    void look(double yaw, double pitch);
    /// Pans so that points at the target's distance follow the pointer; in heights of the picture.
    void pan(double right, double down);
    /// Towards the target: 0.5 halves the distance.
    void zoom(double factor);
    /// Moves along the view's right, down and forward axes, in units of the distance to the target.
    void fly(const glm::dvec3& steps);
    /// Frames a sphere without rotating the view.
    void frame(const Extent& extent);
    /// As frame(), from the front and a little above.
    void reset(const Extent& extent);
    /// Looks at a point from the current position.
    void focus(const glm::dvec3& point);
    /// Looks from one point at another.
    void look(const glm::dvec3& eye, const glm::dvec3& target);
    /// Takes a camera's pose, without its roll.
    void follow(const Camera& camera);

    bool operator==(const Navigator&) const = default;

private:
    glm::dvec3 forward() const;
    glm::dvec3 right() const;

    Mode mode_ = Mode::orbit;
    glm::dvec3 up_, front_, side_;  ///< the world's axes: orthonormal
    glm::dvec3 target_{0};
    double distance_ = 5;
    double yaw_ = 0, pitch_ = 20;  ///< of the view; positive pitch looks down
    double fieldOfView_ = 50;
};

}  // namespace splat::app
