#include <splatwright/scene/gaussians/model_transform.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/gaussians/sh_rotation.h>

namespace splat {
namespace {

/// Product of two rotations as stored by Gaussians; their lengths multiply.
glm::vec4 turned(const glm::dquat& rotation, const glm::vec4& stored) {
    const glm::dquat q = rotation * glm::dquat(stored.x, stored.y, stored.z, stored.w);
    return {q.w, q.x, q.y, q.z};
}

}  // namespace

ModelTransform composed(const ModelTransform& outer, const ModelTransform& inner) {
    return {.translation = transformed(inner.translation, outer),
            .rotation = glm::normalize(outer.rotation) * glm::normalize(inner.rotation),
            .scale = outer.scale * inner.scale};
}

ModelTransform inverse(const ModelTransform& transform) {
    const glm::dquat back = glm::conjugate(glm::normalize(transform.rotation));
    return {.translation = back * -transform.translation / transform.scale, .rotation = back, .scale = 1 / transform.scale};
}

glm::dvec3 transformed(const glm::dvec3& point, const ModelTransform& transform) {
    return transform.translation + transform.scale * (glm::normalize(transform.rotation) * point);
}

void transform(Gaussians& gaussians, size_t first, size_t count, const ModelTransform& transform) {
    constexpr size_t kSlice = 4096;  // Gaussians per thread and step
    SPLAT_CHECK(transform.scale > 0, "scale {}", transform.scale);
    if (transform == ModelTransform{}) return;  // to the bit
    const glm::dquat rotation = glm::normalize(transform.rotation);
    const ShRotation sh(glm::mat3_cast(rotation));
    const auto logScale = static_cast<float>(std::log(transform.scale));
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    const bool rotates = transform.rotation != ModelTransform{}.rotation;
    parallelEach(count, kSlice, [&](size_t offset) {
        const size_t i = first + offset;
        gaussians.means[i] = glm::vec3(transformed(glm::dvec3(gaussians.means[i]), transform));
        gaussians.logScales[i] += logScale;
        if (!rotates) return;
        gaussians.rotations[i] = turned(rotation, gaussians.rotations[i]);
        sh.apply(&gaussians.sh[i * coefficients], gaussians.shDegree);
    });
}

Gaussians transformed(Gaussians gaussians, const ModelTransform& transform) {
    splat::transform(gaussians, 0, gaussians.count(), transform);
    return gaussians;
}

Camera transformed(const Camera& camera, const ModelTransform& transform) {
    Camera moved = camera;
    moved.rotation = camera.rotation * glm::transpose(glm::mat3_cast(glm::normalize(transform.rotation)));
    moved.translation = transform.scale * camera.translation - moved.rotation * transform.translation;
    return moved;
}

}  // namespace splat
