#include <splatwright/scene/cameras/look_at.h>

namespace splat {

Camera lookAt(const glm::dvec3& eye, const glm::dvec3& target, const glm::dvec3& up, double focal, int width, int height) {
    const glm::dvec3 forward = glm::normalize(target - eye);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, up));
    Camera camera{width, height, focal, focal, width / 2.0, height / 2.0};
    camera.rotation = glm::transpose(glm::dmat3(right, glm::cross(forward, right), forward));
    camera.translation = -(camera.rotation * eye);
    return camera;
}

}  // namespace splat
