#include "viewer/scene/shape_settings.h"

#include <algorithm>

namespace splat::app {

namespace {

float longest(const glm::vec3& half) { return std::max({half.x, half.y, half.z, 1e-4F}); }

}  // namespace

ModelTransform ShapeSettings::pose(Tool tool) const {
    const float scale = tool == Tool::sphere ? radius : longest(halfSize);
    return {
        .translation = centre, .rotation = tool == Tool::sphere ? glm::dquat(1, 0, 0, 0) : rotation, .scale = static_cast<double>(scale)};
}

void ShapeSettings::setPose(Tool tool, const ModelTransform& pose) {
    const auto scale = static_cast<float>(pose.scale);
    centre = glm::vec3(pose.translation);
    if (tool == Tool::sphere) {
        radius = scale;
    } else {
        rotation = pose.rotation;
        halfSize *= scale / longest(halfSize);
    }
}

}  // namespace splat::app
