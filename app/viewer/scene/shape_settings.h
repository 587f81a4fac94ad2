#pragma once

#include <splatwright/scene/gaussians/model_transform.h>
#include <splatwright/view/selection.h>
#include "viewer/scene/selecting.h"

namespace splat::app {

/// Shapes in the scene that select, world units: numbers of the selection panel, and what handles move.
struct ShapeSettings {
    glm::vec3 centre{0};
    glm::dquat rotation{1, 0, 0, 0};  ///< of the box
    float radius = 1;
    glm::vec3 halfSize{1};
    float opacityLow = 0, opacityHigh = 0.1F;
    Combine combine = Combine::set;
    bool isPlaced = false;  ///< else the tool puts it where the camera looks

    WorldSphere sphere() const { return {centre, radius}; }
    WorldBox box() const { return {.centre = centre, .halfSize = halfSize, .rotation = rotation}; }
    SelectionShape shapeOf(Tool tool) const { return tool == Tool::sphere ? SelectionShape(sphere()) : box(); }

    /// Of a tool with a volume: its place for handles, whose scale is the radius or the longest half side.
    ModelTransform pose(Tool tool) const;
    void setPose(Tool tool, const ModelTransform& pose);
};

}  // namespace splat::app
