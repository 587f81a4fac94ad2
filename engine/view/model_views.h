#pragma once

#include <vector>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/shared/viewer.h>
#include <splatwright/view/world.h>

namespace splat {

/// The camera in a model's own frame. The rotation's rows are scaled by the model transform, so that depths are in world units and projected sizes
/// are correct; for the identity it equals viewParameters(camera) to the bit.
shared::ViewParameters viewParameters(const Camera& camera, const ModelTransform& transform);

/// One row per model id of the world, at least one; unused ids are invisible.
std::vector<shared::ModelView> modelViews(const World& world, const World::Chosen& chosen, const Camera& camera, bool orthographic);

}  // namespace splat
