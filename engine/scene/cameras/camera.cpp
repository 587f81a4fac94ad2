#include <splatwright/scene/cameras/camera.h>

#include <algorithm>
#include <cmath>

namespace splat {

Camera resized(const Camera& camera, int width, int height) {
    const double sx = static_cast<double>(width) / camera.width;
    const double sy = static_cast<double>(height) / camera.height;
    Camera scaled = camera;
    scaled.width = width;
    scaled.height = height;
    scaled.fx *= sx;
    scaled.cx *= sx;
    scaled.fy *= sy;
    scaled.cy *= sy;
    return scaled;
}

Camera downscaled(const Camera& camera, int factor) {
    const auto shrink = [&](int size) { return std::max(1, static_cast<int>(std::lround(static_cast<double>(size) / factor))); };
    return resized(camera, shrink(camera.width), shrink(camera.height));
}

}  // namespace splat
