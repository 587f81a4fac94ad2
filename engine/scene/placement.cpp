#include <splatwright/scene/placement.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/sh_rotation.h>

namespace splat {
namespace {

/// Product of two rotations as stored by Gaussians; their lengths multiply.
glm::vec4 turned(const glm::dquat& rotation, const glm::vec4& stored) {
    const glm::dquat q = rotation * glm::dquat(stored.x, stored.y, stored.z, stored.w);
    return {q.w, q.x, q.y, q.z};
}

}  // namespace

Placement composed(const Placement& outer, const Placement& inner) {
    return {.translation = transformed(inner.translation, outer),
            .rotation = glm::normalize(outer.rotation) * glm::normalize(inner.rotation),
            .scale = outer.scale * inner.scale};
}

Placement inverse(const Placement& placement) {
    const glm::dquat back = glm::conjugate(glm::normalize(placement.rotation));
    return {.translation = back * -placement.translation / placement.scale, .rotation = back, .scale = 1 / placement.scale};
}

glm::dvec3 transformed(const glm::dvec3& point, const Placement& placement) {
    return placement.translation + placement.scale * (glm::normalize(placement.rotation) * point);
}

Gaussians transformed(Gaussians gaussians, const Placement& placement) {
    constexpr size_t kSlice = 4096;  // Gaussians per thread and step
    SPLAT_CHECK(placement.scale > 0, "scale {}", placement.scale);
    if (placement == Placement{}) return gaussians;  // to the bit
    const glm::dquat rotation = glm::normalize(placement.rotation);
    const ShRotation sh(glm::mat3_cast(rotation));
    const auto logScale = static_cast<float>(std::log(placement.scale));
    const size_t count = gaussians.count(), coefficients = shCoefficients(gaussians.shDegree);
    parallelFor((count + kSlice - 1) / kSlice, [&](size_t slice) {
        for (size_t i = slice * kSlice; i < std::min(count, (slice + 1) * kSlice); ++i) {
            gaussians.means[i] = glm::vec3(transformed(glm::dvec3(gaussians.means[i]), placement));
            gaussians.rotations[i] = turned(rotation, gaussians.rotations[i]);
            gaussians.logScales[i] += logScale;
            sh.apply(&gaussians.sh[i * coefficients], gaussians.shDegree);
        }
    });
    return gaussians;
}

Camera transformed(const Camera& camera, const Placement& placement) {
    Camera moved = camera;
    moved.rotation = camera.rotation * glm::transpose(glm::mat3_cast(glm::normalize(placement.rotation)));
    moved.translation = placement.scale * camera.translation - moved.rotation * placement.translation;
    return moved;
}

}  // namespace splat
