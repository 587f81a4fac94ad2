#include <splatwright/view/orthographic.h>

namespace splat {

namespace {

constexpr double kAway = 30'000;  // distances: rays are parallel to 1/30,000, and single precision still tells pixels apart

}  // namespace

Camera telephoto(const Camera& camera, double distance) {
    Camera far = camera;
    far.fx *= kAway;
    far.fy *= kAway;
    far.translation.z += (kAway - 1) * distance;
    return far;
}

}  // namespace splat
