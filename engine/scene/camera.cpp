#include <splatwright/scene/camera.h>

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

}  // namespace splat
